/* SPDX-License-Identifier: MIT
 *
 * From images to plugin calls. A group is the planes that one call gets: all of them (FV_PLANES), the z-stack of one channel
 * and time (FV_STACK), or all channels of one time (FV_FRAME).
 */
#include "call.h"

#include "error.h"
#include "units.h"

#include <string.h>

enum { MAX_ARRAYS = 16 };

/* An array and what its DLTensor points to. */
typedef struct {
  fv_array array;
  int64_t strides[3];
} Array;

typedef struct {
  fv_call call; /* first: host services get a pointer to it */
  const Op *op;
  Device *device;
  Progress *progress;
  CallResult *result;
  GPtrArray *scratch; /* device memory */
  GPtrArray *blocks;  /* table rows, doubles; freed at the end */
  GArray *block_rows; /* gint64 of each block */
  gint64 group, groups;
  gint64 stacks; /* groups of one frame */
} Context;

void
call_result_clear (CallResult *r)
{
  for (guint i = 0; i < r->n_images; i++)
    image_unref (r->images[i]);
  g_free (r->images);
  table_unref (r->table);
  g_free (r->scalars);
  *r = (CallResult){0};
}

/* ---- Host services ---- */

static Context *
context_of (const fv_call *call)
{
  return (Context *) (gpointer) call;
}

static fv_status
host_scratch (const fv_call *call, size_t bytes, void **memory, fv_error *error)
{
  Context *c = context_of (call);
  const fv_device *fv = c->device->fv;
  fv_status status = fv->alloc (fv, c->device->stream, MAX (bytes, 1), memory, error);
  if (status == FV_OK)
    g_ptr_array_add (c->scratch, *memory);
  return status;
}

static int
host_tick (const fv_call *call, int64_t done, int64_t total)
{
  Context *c = context_of (call);
  gint64 span = MAX (total, 1);
  return progress_report (c->progress, c->group * span + MIN (done, span), c->groups * span);
}

static fv_status
host_read (const fv_call *call, void *to, const void *from, size_t bytes, fv_error *error)
{
  Context *c = context_of (call);
  const fv_device *fv = c->device->fv;
  fv_status status = fv->copy (fv, c->device->stream, to, bytes, from, bytes, bytes, 1, FV_TO_HOST, error);
  if (status == FV_OK)
    status = fv->synchronize (fv, c->device->stream, error);
  if (status == FV_OK && c->device->discrete)
    c->device->downloaded += bytes;
  return status;
}

static void
add_columns (Table *table, const fv_column *columns, uint32_t n, uint32_t size, gboolean frames)
{
  if (frames)
    table_add_column (table, "frame", "", "Time point, counted from 0.", FV_COLUMN_INTEGER);
  for (uint32_t j = 0; j < n; j++) {
    const fv_column *column = (const fv_column *) ((const char *) columns + (gsize) j * size);
    table_add_column (table, column->key, column->unit, column->help, column->type);
  }
}

static fv_status
host_table (const fv_call *call, const fv_column *columns, uint32_t n, uint32_t size, int64_t rows, double **values,
            fv_error *error)
{
  Context *c = context_of (call);
  Table *table = c->result->table;
  guint extra = c->groups > c->stacks; /* the column that says which frame */
  double *block;
  if (!table) {
    table = c->result->table = table_new ();
    add_columns (table, columns, n, size, extra);
  }
  if (n + extra != table_columns (table) || !(block = g_try_new (double, MAX (1, (gsize) rows * (n + extra))))) {
    *error = (fv_error){.code = FV_NO_MEMORY};
    g_snprintf (error->text, sizeof error->text, "There is no room for a table of %" G_GINT64_FORMAT " rows.", rows);
    return FV_NO_MEMORY;
  }
  for (gint64 i = 0; extra && i < rows; i++)
    block[i] = (double) (c->group / c->stacks);
  g_ptr_array_add (c->blocks, block);
  g_array_append_val (c->block_rows, rows);
  *values = block + (extra ? rows : 0);
  return FV_OK;
}

static void
host_log (const fv_call *call, const char *text)
{
  g_info ("%s: %s", context_of (call)->op->fv.key, text);
}

static const fv_host host = {
  .size = sizeof (fv_host),
  .scratch = host_scratch,
  .tick = host_tick,
  .read = host_read,
  .table = host_table,
  .log = host_log,
};

/* ---- Grids ---- */

static fv_grain
op_grain (const Op *op, gconstpointer args)
{
  return op->fv.grain ? op->fv.grain (args) : FV_PLANES;
}

static gint64
group_count (fv_grain grain, const ImageInfo *info)
{
  return grain == FV_PLANES ? 1 : grain == FV_STACK ? info->frames * info->channels : info->frames;
}

/* What one group of an image is. Lengths come in the unit of x where that can be. */
static void
grid_of (fv_grid *grid, const ImageInfo *info, fv_grain grain)
{
  const char *unit = info->units[2];
  *grid = (fv_grid){
    .type = info->type,
    .role = info->role,
    .channels = grain == FV_FRAME ? info->channels : 1,
    .shape = {image_info_planes (info) / group_count (grain, info), info->rows, info->columns},
    .dense = info->dense,
    .channel_names = grain == FV_FRAME ? (const char *const *) info->channel_names : NULL,
  };
  g_strlcpy (grid->unit, unit, sizeof grid->unit);
  for (int axis = 0; axis < 3; axis++) {
    double factor = units_factor (info->units[axis], unit);
    grid->spacing[axis] = info->spacing[axis] * (factor > 0 ? factor : 1);
  }
}

/* The whole output image that groups like `grid` make up. */
static gboolean
info_of (ImageInfo *out, const fv_grid *grid, const ImageInfo *in, fv_grain grain, const Op *op, GError **error)
{
  gint64 depth = grid->shape[0] / MAX (1, grid->channels);
  fv_grid before;
  grid_of (&before, in, grain);
  image_info_copy (out, in);
  out->type = grid->type;
  out->role = grid->role;
  out->dense = grid->dense;
  out->rows = grid->shape[1];
  out->columns = grid->shape[2];
  if (grain == FV_STACK)
    out->depth = grid->shape[0];
  else if (grain == FV_FRAME)
    out->depth = depth;
  if (grain == FV_FRAME && (grid->channels != in->channels || grid->channel_names != before.channel_names)) {
    out->channels = grid->channels;
    g_strfreev (out->channel_names);
    out->channel_names = g_new0 (char *, grid->channels + 1);
    for (gint64 i = 0; i < grid->channels; i++)
      out->channel_names[i] = g_strdup (grid->channel_names && grid->channel_names[i] ? grid->channel_names[i] : "");
    g_clear_pointer (&out->channel_colors, g_free);
  }
  if (grid->type != in->type || grid->role != in->role || grid->channels != before.channels)
    g_clear_pointer (&out->display_ranges, g_free);
  if (grid->role != FV_IMAGE)
    out->inverted = FALSE;
  for (int axis = 0; axis < 3; axis++)
    out->spacing[axis] = in->spacing[axis] * (grid->spacing[axis] / before.spacing[axis]);
  g_clear_pointer (&out->source_type, g_free);
  if (image_info_check (out, error) && (grain != FV_PLANES || grid->shape[0] == before.shape[0]))
    return TRUE;
  if (error && !*error)
    step_error_set (error, FV_UNSUPPORTED, NULL, "%s changes the number of planes, which its grain forbids.",
                    op->fv.key);
  image_info_clear (out);
  return FALSE;
}

static gboolean
check_input (const Op *op, guint i, const ImageInfo *info, const ImageInfo *first, fv_grain grain, GError **error)
{
  const fv_input *declared = &op->fv.inputs[i];
  if (!(declared->types & info->type)) {
    GString *takes = g_string_new (NULL);
    for (guint type = FV_U8; type <= FV_F64; type <<= 1)
      if (declared->types & type)
        g_string_append_printf (takes, "%s%s", takes->len ? ", " : "", image_type_name (type));
    step_error_set (error, FV_BAD_INPUT, declared->key, "%s: %s is %s, but must be one of %s.", op->fv.key,
                    declared->key, image_type_name (info->type), takes->str);
    g_string_free (takes, TRUE);
    return FALSE;
  }
  if ((info->frames == first->frames || info->frames == 1)
      && (grain == FV_FRAME || info->channels == first->channels || (grain == FV_STACK && info->channels == 1))
      && (grain != FV_PLANES || image_info_planes (info) == image_info_planes (first)))
    return TRUE;
  step_error_set (error, FV_BAD_INPUT, declared->key,
                  "%s: %s has %" G_GINT64_FORMAT " channels, %" G_GINT64_FORMAT " slices and %" G_GINT64_FORMAT
                  " frames, which do not go with the %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT
                  " of %s.",
                  op->fv.key, declared->key, info->channels, info->depth, info->frames, first->channels, first->depth,
                  first->frames, op->fv.inputs[0].key);
  return FALSE;
}

/* Grids of the inputs and, inferred, of the outputs of one group. */
static gboolean
infer_grids (const Op *op, gconstpointer args, Image *const *inputs, fv_grid *in, fv_grid *out, GError **error)
{
  const fv_grid *in_at[MAX_ARRAYS] = {NULL};
  fv_grid *out_at[MAX_ARRAYS] = {NULL};
  fv_error fault = {.code = FV_OK};
  fv_grain grain = op_grain (op, args);
  if (op->n_inputs > MAX_ARRAYS || op->n_outputs > MAX_ARRAYS) {
    step_error_set (error, FV_UNSUPPORTED, NULL, "%s has more than %d inputs or outputs.", op->fv.key, MAX_ARRAYS);
    return FALSE;
  }
  for (guint i = 0; i < op->n_inputs; i++) {
    if (!inputs[i] && op->fv.inputs[i].optional)
      continue;
    if (!inputs[i]) {
      step_error_set (error, FV_BAD_INPUT, op->fv.inputs[i].key, "%s needs %s: name a step or an image with %s=...",
                      op->fv.key, op->fv.inputs[i].key, i ? op->fv.inputs[i].key : "from");
      return FALSE;
    }
    if (!check_input (op, i, image_info (inputs[i]), image_info (inputs[0]), grain, error))
      return FALSE;
    grid_of (&in[i], image_info (inputs[i]), grain);
    in_at[i] = &in[i];
  }
  for (guint i = 0; i < op->n_outputs; i++) {
    out[i] = in[0];
    out_at[i] = &out[i];
  }
  if (op->fv.infer && op->fv.infer (args, in_at, out_at, &fault)) {
    step_error_set_from_plugin (error, op->fv.key, &fault);
    return FALSE;
  }
  return TRUE;
}

gboolean
call_infer (const Op *op, gconstpointer args, Image *const *inputs, ImageInfo *outputs, GError **error)
{
  fv_grid in[MAX_ARRAYS], out[MAX_ARRAYS];
  if (!infer_grids (op, args, inputs, in, out, error))
    return FALSE;
  for (guint i = 0; i < op->n_outputs; i++)
    if (!info_of (&outputs[i], &out[i], image_info (inputs[0]), op_grain (op, args), op, error)) {
      while (i--)
        image_info_clear (&outputs[i]);
      return FALSE;
    }
  return TRUE;
}

/* ---- The call ---- */

static guint8
type_bits (fv_type type)
{
  return type == FV_U8 ? 8 : type == FV_U16 ? 16 : type == FV_F64 ? 64 : 32;
}

/* Points an array at group `group` of an image's device memory. */
static void
array_set (Array *a, const fv_grid *grid, const Device *device, char *memory, gint64 group)
{
  guint8 code = grid->type & FV_FLOATS ? kDLFloat : grid->type == FV_I32 ? kDLInt : kDLUInt;
  guint8 bits = type_bits (grid->type);
  a->array.grid = *grid;
  a->strides[0] = grid->shape[1] * grid->shape[2];
  a->strides[1] = grid->shape[2];
  a->strides[2] = 1;
  a->array.tensor = (DLTensor){
    .data = memory + group * grid->shape[0] * a->strides[0] * (bits / 8),
    .device = device->fv->dl,
    .ndim = 3,
    .dtype = {code, bits, 1},
    .shape = a->array.grid.shape,
    .strides = a->strides,
  };
}

/* Everything one run over all groups needs. */
typedef struct {
  fv_grid in[MAX_ARRAYS], out[MAX_ARRAYS];
  char *in_memory[MAX_ARRAYS], *out_memory[MAX_ARRAYS];
  double *scalars;    /* device */
  gint64 scalar_rows; /* of one group */
} Plan;

static gboolean
prepare (Context *c, Plan *plan, gconstpointer args, Image *const *inputs, GError **error)
{
  const Op *op = c->op;
  const fv_device *fv = c->device->fv;
  fv_grain grain = op_grain (op, args);
  fv_error fault = {.code = FV_OK};
  ImageInfo infos[MAX_ARRAYS];
  gboolean made = TRUE;

  if (!infer_grids (op, args, inputs, plan->in, plan->out, error) || !call_infer (op, args, inputs, infos, error))
    return FALSE;
  c->groups = group_count (grain, image_info (inputs[0]));
  c->stacks = grain == FV_STACK ? image_info (inputs[0])->channels : 1;
  c->result->images = g_new0 (Image *, op->n_outputs);
  for (guint i = 0; i < op->n_inputs && made; i++)
    if (inputs[i])
      made = (plan->in_memory[i] = image_on_device (inputs[i], c->device, c->progress, error)) != NULL;
  for (guint i = 0; i < op->n_outputs; i++) {
    Image *image = made ? image_new_on_device (&infos[i], c->device, error) : NULL;
    image_info_clear (&infos[i]);
    if (!(made = image != NULL))
      continue;
    c->result->images[c->result->n_images++] = image;
    plan->out_memory[i] = image_on_device (image, c->device, NULL, NULL);
  }
  plan->scalar_rows = grain == FV_PLANES ? plan->in[0].shape[0] : 1;
  c->result->scalar_rows = plan->scalar_rows * c->groups;
  if (made && op->n_scalars) {
    gsize bytes = (gsize) c->result->scalar_rows * op->n_scalars * sizeof (double);
    if (fv->alloc (fv, c->device->stream, bytes, (void **) &plan->scalars, &fault)) {
      step_error_set_from_plugin (error, op->fv.key, &fault);
      return FALSE;
    }
  }
  return made;
}

/* Which group of an input goes with group c->group; one with a single frame, or channel, goes with all. */
static gint64
input_group (const Context *c, const ImageInfo *info)
{
  gint64 channel = c->group % c->stacks, frame = c->group / c->stacks;
  return (info->frames == 1 ? 0 : frame) * (c->stacks == 1 ? 1 : info->channels) + (info->channels == 1 ? 0 : channel);
}

static void
free_on_device (gpointer memory, gpointer device)
{
  const Device *d = device;
  d->fv->free (d->fv, d->stream, memory);
}

/* Calls the plugin for group c->group. */
static fv_status
run_group (Context *c, const Plan *plan, Image *const *inputs, fv_error *fault)
{
  const Op *op = c->op;
  Array in[MAX_ARRAYS], out[MAX_ARRAYS];
  const fv_array *in_at[MAX_ARRAYS] = {NULL}, *out_at[MAX_ARRAYS] = {NULL};
  fv_status status;
  for (guint i = 0; i < op->n_inputs; i++) {
    if (!inputs[i])
      continue;
    array_set (&in[i], &plan->in[i], c->device, plan->in_memory[i], input_group (c, image_info (inputs[i])));
    in_at[i] = &in[i].array;
  }
  for (guint i = 0; i < op->n_outputs; i++) {
    array_set (&out[i], &plan->out[i], c->device, plan->out_memory[i], c->group);
    out_at[i] = &out[i].array;
  }
  c->call.inputs = in_at;
  c->call.outputs = out_at;
  c->call.scalars = plan->scalars ? plan->scalars + c->group * plan->scalar_rows * op->n_scalars : NULL;
  status = op->fv.run[c->device->fv->kind](&c->call, fault);
  g_ptr_array_foreach (c->scratch, free_on_device, c->device);
  g_ptr_array_set_size (c->scratch, 0);
  return status;
}

/* Runs all groups between two events. */
static fv_status
run_groups (Context *c, const Plan *plan, Image *const *inputs, fv_error *fault)
{
  const fv_device *fv = c->device->fv;
  void *stream = c->device->stream, *start = NULL, *end = NULL;
  fv_status status = fv->event_new (fv, &start, fault);
  if (status == FV_OK)
    status = fv->event_new (fv, &end, fault);
  if (status == FV_OK)
    status = fv->event_record (fv, stream, start, fault);
  for (c->group = 0; c->group < c->groups && status == FV_OK; c->group++)
    status = run_group (c, plan, inputs, fault);
  if (status == FV_OK)
    status = fv->event_record (fv, stream, end, fault);
  if (status == FV_OK)
    status = fv->event_elapsed (fv, start, end, &c->result->ms, fault);
  if (start)
    fv->event_free (fv, start);
  if (end)
    fv->event_free (fv, end);
  return status;
}

/* Scalars and table rows, brought to the host. */
static fv_status
collect (Context *c, const Plan *plan, fv_error *fault)
{
  gsize n = (gsize) c->result->scalar_rows * c->op->n_scalars;
  for (guint i = 0; i < c->blocks->len; i++)
    table_append (c->result->table, c->blocks->pdata[i], g_array_index (c->block_rows, gint64, i));
  if (n == 0)
    return FV_OK;
  c->result->scalars = g_new (double, n);
  return host_read (&c->call, c->result->scalars, plan->scalars, n * sizeof (double), fault);
}

gboolean
call_op (const Op *op, gconstpointer args, Image *const *inputs, Device *device, Progress *progress, CallResult *result,
         GError **error)
{
  guint64 uploaded = device->uploaded, downloaded = device->downloaded;
  fv_error fault = {.code = FV_OK};
  fv_status status = FV_OK;
  Plan plan = {0};
  gboolean done;
  Context c = {
    .call = {.size = sizeof (fv_call), .args = args, .device = device->fv, .stream = device->stream, .host = &host},
    .op = op,
    .device = device,
    .progress = progress,
    .result = result,
    .scratch = g_ptr_array_new (),
    .blocks = g_ptr_array_new_with_free_func (g_free),
    .block_rows = g_array_new (FALSE, FALSE, sizeof (gint64)),
  };

  *result = (CallResult){0};
  if (!op->fv.run[device->fv->kind]) {
    step_error_set (error, FV_UNSUPPORTED, "device", "%s cannot run on %s.", op->fv.key, device->fv->key);
    done = FALSE;
  } else if ((done = prepare (&c, &plan, args, inputs, error))) {
    status = run_groups (&c, &plan, inputs, &fault);
    if (status == FV_OK)
      status = collect (&c, &plan, &fault);
    if (!(done = status == FV_OK))
      step_error_set_from_plugin (error, op->fv.key, &fault);
  }
  if (plan.scalars)
    free_on_device (plan.scalars, device);
  g_ptr_array_unref (c.scratch);
  g_ptr_array_unref (c.blocks);
  g_array_unref (c.block_rows);
  if (!done)
    call_result_clear (result);
  result->uploaded = device->uploaded - uploaded;
  result->downloaded = device->downloaded - downloaded;
  return done;
}
