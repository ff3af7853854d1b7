/* SPDX-License-Identifier: MIT
 *
 * Running an operation: with everything in device memory; where that is too small, a local one part by part
 * (parts.c), and any other on host memory that the device reads and writes where it lies.
 */
#include "core/call/call.h"

#include "core/call/box.h"
#include "core/call/context.h"
#include "core/call/each.h"
#include "core/call/parts.h"
#include "core/call/wants.h"
#include "core/base/error.h"
#include "core/measure/sky_table.h"
#include "core/call/column_order.h"

/* ---- All groups ---- */

/* Memory of all groups of each input and output; NULL: not given. */
typedef struct {
  char *in[OP_MAX_ARRAYS], *out[OP_MAX_ARRAYS];
} Memory;

static double *
group_scalars (const CallContext *c)
{
  gint64 rows = c->result->scalar_rows / c->groups;
  double *scalars = c->result->scalars_on_device;
  return scalars ? scalars + c->group * rows * c->op->n_scalars : NULL;
}

static gboolean
run_groups (CallContext *c, const Memory *memory, GError **error)
{
  CallArray in[OP_MAX_ARRAYS], out[OP_MAX_ARRAYS];
  fv_error fault = FV_ERROR_INIT;
  c->parts = c->groups;
  if (!call_context_mark (c, 0, error))
    return FALSE;
  for (c->group = c->part = 0; c->group < c->groups; c->part = ++c->group) {
    call_each_group (c);
    for (guint i = 0; i < c->op->n_inputs; i++)
      if (memory->in[i])
        call_array_set (&in[i], &c->in[i], c->device,
                        memory->in[i] + (gsize) call_input_group (c, i) * call_grid_bytes (&c->in[i]));
    for (guint i = 0; i < c->op->n_outputs; i++)
      call_array_set (&out[i], &c->out[i], c->device, memory->out[i] + (gsize) c->group * call_grid_bytes (&c->out[i]));
    if (call_context_run (c, in, out, group_scalars (c), &fault)) {
      step_error_set_from_plugin (error, c->op->fv.key, &fault);
      return FALSE;
    }
  }
  return TRUE;
}

/* ---- In device memory ---- */

/* Whether its one input may come while it runs. */
static gboolean
takes_rows (const CallContext *c)
{
  return c->op->fv.by_rows & (1u << c->device->fv->kind) && c->op->n_inputs == 1 && c->inputs[0] && c->groups == 1
         && c->in[0].shape[0] == 1 && c->device->up != c->device->stream;
}

static gboolean
bring_inputs (CallContext *c, Memory *memory, GError **error)
{
  gboolean done = TRUE;
  if (takes_rows (c))
    return (memory->in[0] = image_begin_arrival (c->inputs[0], c->device, c->progress, &c->arrival, error)) != NULL;
  for (guint i = 0; i < c->op->n_inputs && done; i++)
    if (c->inputs[i])
      done = (memory->in[i] = image_on_device (c->inputs[i], c->device, c->progress, error)) != NULL;
  return done;
}

static gboolean
run_resident (CallContext *c, const ImageInfo *infos, GError **error)
{
  CallResult *r = c->result;
  Memory memory = {0};
  gboolean done = bring_inputs (c, &memory, error);
  for (guint i = 0; i < c->op->n_outputs && done; i++)
    if ((done = (r->images[i] =
                   image_new_on_device (&infos[i], c->device, c->target.on_disk[i], (void **) &memory.out[i], error))
                != NULL))
      r->n_images++;
  c->downloading = c->target.to_host && c->groups == 1 && r->n_images && done ? r->images[0] : NULL;
  done = done && run_groups (c, &memory, error);
  c->downloading = NULL;
  if (c->arrival.memory)
    done = image_end_arrival (c->inputs[0], &c->arrival, done, error) && done;
  c->arrival.memory = NULL;
  for (guint i = 0; i < c->op->n_inputs; i++)
    if (memory.in[i])
      image_off_device (c->inputs[i], c->device);
  for (guint i = 0; i < r->n_images; i++)
    image_off_device (r->images[i], c->device);
  if (done && c->target.to_host && r->n_images)
    image_start_download (r->images[0], G_MAXINT64);
  return done;
}

/* ---- In host memory ---- */

/* The address for the device of an image in host memory. */
static gboolean
map (const CallContext *c, Image *image, char **address, GError **error)
{
  const fv_device *fv = c->device->fv;
  fv_error fault = FV_ERROR_INIT;
  void *host = image_on_host (image, c->progress, error);
  if (!host)
    return FALSE;
  if (image_on_disk (image)) {
    step_error_set (error, FV_NO_MEMORY, NULL,
                    "%s: '%s' fits neither into the memory of %s nor into host memory, and a GPU cannot "
                    "access data on disk. Use device cpu.",
                    c->op->fv.key, image_info (image)->name, c->device->fv->key);
    return FALSE;
  }
  if (fv->map (fv, host, image_bytes (image), (void **) address, &fault)) {
    step_error_set_from_plugin (error, c->op->fv.key, &fault);
    return FALSE;
  }
  return TRUE;
}

static void
unmap (const CallContext *c, Image *image)
{
  c->device->fv->unmap (c->device->fv, image_on_host (image, NULL, NULL));
}

static gboolean
run_mapped (CallContext *c, const ImageInfo *infos, GError **error)
{
  const fv_device *fv = c->device->fv;
  CallResult *r = c->result;
  fv_error fault = FV_ERROR_INIT;
  Memory memory = {0};
  gboolean done = TRUE;
  for (guint i = 0; i < c->op->n_inputs && done; i++)
    if (c->inputs[i] && (done = map (c, c->inputs[i], &memory.in[i], error)))
      c->device->uploaded += image_bytes (c->inputs[i]);
  for (guint i = 0; i < c->op->n_outputs && done; i++)
    if ((done = (r->images[i] = image_new (&infos[i], error)) != NULL)) {
      r->n_images++;
      if ((done = map (c, r->images[i], &memory.out[i], error)))
        c->device->downloaded += image_bytes (r->images[i]);
    }
  done = done && run_groups (c, &memory, error);
  if (fv->synchronize (fv, c->device->stream, &fault) && done) {
    step_error_set_from_plugin (error, c->op->fv.key, &fault);
    done = FALSE;
  }
  for (guint i = 0; i < c->op->n_inputs; i++)
    if (memory.in[i])
      unmap (c, c->inputs[i]);
  for (guint i = 0; i < r->n_images; i++)
    if (memory.out[i])
      unmap (c, r->images[i]);
  return done;
}

/* ---- The call ---- */

static void
forget_images (CallResult *r)
{
  while (r->n_images)
    image_unref (r->images[--r->n_images]);
}

/* A box of a file is read; else one way after the other, until there is memory enough. */
static gboolean
run_somehow (CallContext *c, const ImageInfo *infos, GError **error)
{
  static gboolean (*const ways[]) (CallContext *, const ImageInfo *, GError **) = {run_resident, call_parts_run,
                                                                                   run_mapped};
  if (call_box_suits (c)) {
    if (call_box_run (c, infos, error))
      return TRUE;
    forget_images (c->result);
    return FALSE;
  }
  for (guint i = c->target.strip > 0; i < G_N_ELEMENTS (ways); i++) {
    GError *why = NULL;
    if (ways[i](c, infos, &why))
      return TRUE;
    forget_images (c->result);
    call_rows_forget (&c->rows);
    if (!c->device->discrete || i + 1 == G_N_ELEMENTS (ways) || !g_error_matches (why, STEP_ERROR, FV_NO_MEMORY)) {
      g_propagate_error (error, why);
      return FALSE;
    }
    g_info ("%s", why->message);
    g_error_free (why);
  }
  g_assert_not_reached ();
}

/* Memory for the scalars, which hold what is given. */
static fv_status
make_scalars (CallContext *c, fv_error *fault)
{
  CallResult *r = c->result;
  const fv_device *fv = c->device->fv;
  fv_status status =
    r->scalar_bytes ? device_take (c->device, r->scalar_bytes, (void **) &r->scalars_on_device, fault) : FV_OK;
  c->call.given = c->target.given && c->op->fv.part == FV_PART_GIVEN;
  if (status || !c->call.given)
    return status;
  return fv->copy (fv, c->device->stream, r->scalars_on_device, r->scalar_bytes, c->target.given, r->scalar_bytes,
                   r->scalar_bytes, 1, FV_TO_DEVICE, fault);
}

/* Scalars are on their way to the host when the next operation begins. */
static gboolean
send_scalars (CallContext *c, GError **error)
{
  const fv_device *fv = c->device->fv;
  CallResult *r = c->result;
  fv_error fault = FV_ERROR_INIT;
  fv_status status = FV_OK;
  if (r->scalar_bytes
      && !(status = device_take_host (c->device, r->scalar_bytes, (void **) &r->scalars_on_host, &fault)))
    status = fv->copy (fv, c->device->stream, r->scalars_on_host, r->scalar_bytes, r->scalars_on_device,
                       r->scalar_bytes, r->scalar_bytes, 1, FV_TO_HOST, &fault);
  if (!status)
    return TRUE;
  step_error_set_from_plugin (error, c->op->fv.key, &fault);
  return FALSE;
}

/* Says where rows are on the sky. */
static void
add_positions (CallResult *r, const ImageInfo *first)
{
  Table *more = r->table ? sky_table_new (r->table, first) : NULL;
  if (more) {
    table_unref (r->table);
    r->table = more;
  }
}

static gboolean
run (CallContext *c, const ImageInfo *infos, GError **error)
{
  CallResult *r = c->result;
  fv_error fault = FV_ERROR_INIT;
  fv_grain grain = call_grain (c->op, c->call.args);
  const ImageInfo *first = call_first (c->op, c->inputs);
  c->groups = call_groups (grain, first);
  c->stacks = grain == FV_STACK ? first->channels : 1;
  if (!call_each_begin (c, error))
    return FALSE;
  r->images = g_new0 (Image *, c->op->n_outputs);
  r->scalar_shape[0] = grain == FV_SERIES ? 1 : first->frames;
  r->scalar_shape[1] = grain >= FV_FRAME ? 1 : first->channels;
  r->scalar_shape[2] = grain == FV_PLANES ? first->depth : 1;
  r->scalar_rows = (grain == FV_PLANES ? c->in[0].shape[0] : 1) * c->groups;
  r->scalar_bytes = (gsize) r->scalar_rows * c->op->n_scalars * sizeof (double);
  if (make_scalars (c, &fault)) {
    step_error_set_from_plugin (error, c->op->fv.key, &fault);
    return FALSE;
  }
  if (!run_somehow (c, infos, error) || !call_context_mark (c, 1, error) || !send_scalars (c, error)
      || !call_rows_give (&c->rows, c->result->table, c->op->fv.key, error))
    return FALSE;
  if (c->result->table)
    column_order (c->result->table, c->op, c->call.args, c->target.asked);
  add_positions (c->result, first);
  return TRUE;
}

static void
note_maker (const CallContext *c, ImageInfo *infos)
{
  for (guint i = 0; i < c->op->n_outputs && c->target.made_by; i++) {
    ImageNotes *notes = image_notes_new (infos[i].notes);
    g_free (notes->made_by);
    notes->made_by = g_strdup (c->target.made_by);
    image_notes_unref (infos[i].notes);
    infos[i].notes = notes;
  }
}

/* NULL: no input is given calibrated values. */
static const char *
measured_unit (const Op *op, Image *const *inputs)
{
  const char *unit = NULL;
  for (guint i = 0; i < op->n_inputs && !unit; i++)
    unit = inputs[i] ? wants_unit (&op->fv.inputs[i], image_info (inputs[i])) : NULL;
  return unit;
}

gboolean
call_start (const Op *op, gconstpointer args, const CallInputs *inputs, Device *device, const CallTarget *target,
            Progress *progress, CallResult *result, GError **error)
{
  CallContext c = {.call.args = args,
                   .op = op,
                   .device = device,
                   .progress = progress,
                   .inputs = inputs->images,
                   .tables = inputs->tables,
                   .result = result};
  if (target)
    c.target = *target;
  ImageInfo infos[OP_MAX_ARRAYS];
  gboolean done;

  *result = (CallResult){.device = device};
  if (!call_grids (op, args, inputs->images, c.in, c.out, error)
      || !call_infos (op, args, inputs->images, c.in, c.out, infos, &result->left, error))
    return FALSE;
  note_maker (&c, infos);
  result->value_unit = g_strdup (measured_unit (op, inputs->images));
  call_context_init (&c);
  done = run (&c, infos, error);
  call_context_clear (&c);
  for (guint i = 0; i < op->n_outputs; i++)
    image_info_clear (&infos[i]);
  for (guint i = 0; i < result->n_images && done; i++)
    result->on_disk += image_on_disk (result->images[i]);
  if (!done)
    call_result_clear (result);
  return done;
}

gboolean
call_settle (const Op *op, CallResult *r, GError **error)
{
  Device *device = r->device;
  fv_error fault = FV_ERROR_INIT;
  fv_status status;
  if (!r->events[1])
    return TRUE;
  const fv_device *fv = device->fv;
  status = fv->event_elapsed (fv, r->events[0], r->events[1], &r->ms, &fault);
  if (!status && r->scalar_bytes && !(status = fv->synchronize (fv, device->stream, &fault))) {
    r->scalars = g_memdup2 (r->scalars_on_host, r->scalar_bytes);
    if (device->discrete) {
      device->downloaded += r->scalar_bytes;
      r->downloaded += r->scalar_bytes;
    }
  }
  call_result_give_scalars (r);
  for (int i = 0; i < 2; i++) {
    fv->event_free (fv, r->events[i]);
    r->events[i] = NULL;
  }
  if (!status)
    return TRUE;
  step_error_set_from_plugin (error, op->fv.key, &fault);
  call_result_clear (r);
  return FALSE;
}
