/* SPDX-License-Identifier: MIT
 *
 * What a plugin sees of the program while it runs an operation.
 */
#include "core/call/context.h"

#include "core/call/check.h"
#include "core/call/column_name.h"
#include "core/call/table.h"
#include "core/base/error.h"
#include "core/data/pixel_type.h"
#include "core/data/transfer.h"
#include "core/ops/module_check_text.h"

#include <math.h>
#include <string.h>

enum {
  STEPS = 1 << 20, /* resolution of the progress of a part */
  LOG = 4096,      /* maximum bytes of a line of the log */
  FIRST = 8,       /* parts of an output: the first one is downloaded while the others are computed */
  SMALL = 1 << 20, /* bytes: downloads up to this size go through pinned memory */
};

/* Memory until run() returns. */
typedef struct {
  void *memory;
  gsize bytes;
  gboolean on_host;
} Scratch;

/* ---- Host services ---- */

static CallContext *
context_of (const fv_call *call)
{
  return (CallContext *) (gpointer) call;
}

static fv_status
host_scratch (const fv_call *call, size_t bytes, void **memory, fv_error *error)
{
  CallContext *c = context_of (call);
  fv_status status = device_take (c->device, bytes, memory, error);
  if (status == FV_OK)
    g_array_append_val (c->scratch, ((Scratch){*memory, bytes, FALSE}));
  return status;
}

static fv_status
host_host_scratch (const fv_call *call, size_t bytes, void **memory, fv_error *error)
{
  CallContext *c = context_of (call);
  fv_status status = device_take_host (c->device, bytes, memory, error);
  if (status == FV_OK)
    g_array_append_val (c->scratch, ((Scratch){*memory, bytes, TRUE}));
  return status;
}

static void *
host_take_state (const fv_call *call, const char *key)
{
  CallContext *c = context_of (call);
  return device_states_take (&c->device->states, c->op->plugin, key);
}

static void
host_leave_state (const fv_call *call, const char *key, void *state, void (*release) (const fv_device *, void *))
{
  CallContext *c = context_of (call);
  if (state)
    device_states_leave (&c->device->states, c->op->plugin, key, state, release);
}

static int
host_tick (const fv_call *call, int64_t done, int64_t total)
{
  CallContext *c = context_of (call);
  double part = total > 0 ? CLAMP ((double) done / (double) total, 0, 1) : 0;
  return progress_report (c->progress, (gint64) (((double) c->part + part) * STEPS), c->parts * STEPS);
}

static fv_status
host_read (const fv_call *call, void *to, const void *from, size_t bytes, fv_error *error)
{
  CallContext *c = context_of (call);
  const fv_device *fv = c->device->fv;
  fv_status status;
  void *between = NULL;
  if (!c->op->fv.reads_back)
    return error_fill (error, FV_UNSUPPORTED, "It reads back from the device but does not declare that it does.");
  if (c->device->discrete && bytes <= SMALL && (status = device_take_host (c->device, bytes, &between, error)))
    return status;
  status = fv->copy (fv, c->device->stream, between ? between : to, bytes, from, bytes, bytes, 1, FV_TO_HOST, error);
  if (status == FV_OK)
    status = fv->synchronize (fv, c->device->stream, error);
  if (status == FV_OK && c->device->discrete)
    c->device->downloaded += bytes;
  if (between && status == FV_OK)
    memcpy (to, between, bytes);
  if (between)
    device_give_host (c->device, between, bytes);
  return status;
}

/* Rows of an input are asked for while those before are worked on. */
static fv_status
host_rows_in (const fv_call *call, uint32_t input, int64_t end_needed, int64_t *end, fv_error *error)
{
  CallContext *c = context_of (call);
  gsize row_bytes;
  int64_t rows;
  fv_status status;
  if (!(c->op->fv.by_rows & (1u << c->device->fv->kind)))
    return error_fill (error, FV_UNSUPPORTED, "It requests rows but does not declare that it does.");
  if (input >= c->op->n_inputs || !c->inputs[input])
    return error_fill (error, FV_UNSUPPORTED, "It requests rows of an input that does not exist.");
  *end = rows = c->in[input].shape[1];
  if (!c->arrival.memory)
    return FV_OK;
  row_bytes = c->arrival.bytes / (gsize) rows;
  if (!(status = arrival_advance (&c->arrival, (gsize) CLAMP (end_needed, 0, rows) * row_bytes, error)))
    *end = (int64_t) (c->arrival.sent / row_bytes);
  return status;
}

static fv_status
host_rows_out (const fv_call *call, uint32_t output, int64_t end, int64_t *next, fv_error *error)
{
  CallContext *c = context_of (call);
  gsize plane;
  int64_t rows;
  if (output >= c->op->n_outputs)
    return error_fill (error, FV_UNSUPPORTED, "It wrote rows of an output that does not exist.");
  *next = rows = c->out[output].shape[1];
  plane = call_grid_bytes (&c->out[output]) / (gsize) c->out[output].shape[0];
  if (output || !c->downloading)
    return FV_OK;
  if (end > 0)
    image_start_download (c->downloading, end);
  /* The rest is made before the first rows have gone. */
  if (end == 0 && plane >= TRANSFER_MIN * 2)
    *next = rows / FIRST;
  return FV_OK;
}

static void
add_column (Table *table, const Op *op, const fv_column *column)
{
  g_autofree char *imagej = column_name_imagej (op, column->key);
  table_add_column (table, column->key, column->unit, column->help, column->type);
  table_name_imagej (table, imagej);
}

static void
add_columns (Table *table, const Op *op, const fv_column *columns, uint32_t n, uint32_t size, gboolean frames)
{
  const fv_column frame = {CALL_FRAME, "", "Time point, counted from 1.", FV_COLUMN_INTEGER};
  if (frames)
    add_column (table, op, &frame);
  for (uint32_t j = 0; j < n; j++)
    add_column (table, op, (const fv_column *) ((const char *) columns + (gsize) j * size));
}

static fv_status
host_table (const fv_call *call, const fv_column *columns, uint32_t n, uint32_t size, int64_t rows, double **values,
            fv_error *error)
{
  CallContext *c = context_of (call);
  guint extra = c->groups > c->stacks; /* the column that says which frame */
  g_autofree char *fault = call_check_columns (columns, n, size, extra > 0);
  double *block;
  if (c->op->fv.kind != FV_TABLE)
    return error_fill (error, FV_UNSUPPORTED, "It makes a table, but its kind does not say so.");
  if (fault)
    return error_fill (error, FV_UNSUPPORTED, "%s", fault);
  if (!c->result->table) {
    c->result->table = table_new ();
    add_columns (c->result->table, c->op, columns, n, size, extra);
  }
  if (!call_check_same_columns (c->result->table, columns, n, size, extra > 0))
    return error_fill (error, FV_UNSUPPORTED, "The columns of its table change from call to call.");
  if (!(block = call_rows_add (&c->rows, rows, n + extra, error)))
    return error->code;
  for (gint64 i = 0; extra && i < rows; i++)
    block[i] = (double) (c->group / c->stacks + 1);
  *values = block + (extra ? rows : 0);
  return FV_OK;
}

static fv_status
host_text (const fv_call *call, const char *text, double *number, fv_error *error)
{
  CallContext *c = context_of (call);
  g_autoptr (GError) wrong = NULL;
  *number = NAN;
  if (text && !*text)
    return FV_OK;
  if (!module_check_text ("text", text, MODULE_SENTENCE, &wrong))
    return error_fill (error, FV_UNSUPPORTED, "A string for its table is invalid: %s.", wrong->message);
  *number = call_texts_number (&c->rows.texts, text);
  return FV_OK;
}

static void
host_log (const fv_call *call, const char *text)
{
  g_autofree char *line = g_utf8_make_valid (text ? text : "", text ? (gssize) strnlen (text, LOG) : 0);
  g_info ("%s: %s", context_of (call)->op->fv.key, line);
}

static const fv_host host = {
  .size = sizeof (fv_host),
  .scratch = host_scratch,
  .tick = host_tick,
  .read = host_read,
  .table = host_table,
  .log = host_log,
  .text = host_text,
  .host_scratch = host_host_scratch,
  .take_state = host_take_state,
  .leave_state = host_leave_state,
  .rows_in = host_rows_in,
  .rows_out = host_rows_out,
};

/* ---- The context ---- */

void
call_context_init (CallContext *c)
{
  c->call.size = sizeof (fv_call);
  c->call.op = c->op->declared;
  c->call.device = c->device->fv;
  c->call.stream = c->device->stream;
  c->call.host = &host;
  c->scratch = g_array_new (FALSE, FALSE, sizeof (Scratch));
  call_rows_init (&c->rows);
}

void
call_context_clear (CallContext *c)
{
  g_array_unref (c->scratch);
  call_rows_clear (&c->rows);
  g_free (c->own_args);
}

gboolean
call_context_mark (CallContext *c, int which, GError **error)
{
  const fv_device *fv = c->device->fv;
  void **event = &c->result->events[which];
  fv_error fault = FV_ERROR_INIT;
  fv_status status = *event ? FV_OK : fv->event_new (fv, event, &fault);
  if (!status)
    status = fv->event_record (fv, c->device->stream, *event, &fault);
  if (status)
    step_error_set_from_plugin (error, c->op->fv.key, &fault);
  return !status;
}

/* ---- Arrays ---- */

gsize
call_grid_bytes (const fv_grid *grid)
{
  return (gsize) (grid->shape[0] * grid->shape[1] * grid->shape[2]) * pixel_type_bytes (grid->type);
}

void
call_array_set (CallArray *a, const fv_grid *grid, const Device *device, void *memory)
{
  a->grid = *grid;
  a->array.size = sizeof a->array;
  a->array.grid = &a->grid;
  a->strides[0] = grid->shape[1] * grid->shape[2];
  a->strides[1] = grid->shape[2];
  a->strides[2] = 1;
  a->array.tensor = (DLTensor){
    .data = memory,
    .device = device->fv->dl,
    .ndim = 3,
    .dtype = pixel_type (grid->type)->dl,
    .shape = a->grid.shape,
    .strides = a->strides,
  };
}

gint64
call_input_group (const CallContext *c, guint input)
{
  const ImageInfo *info = image_info (c->inputs[input]);
  if (c->by_plane)
    return c->group;
  gint64 channel = c->group % c->stacks, frame = c->group / c->stacks;
  return (info->frames == 1 ? 0 : frame) * (c->stacks == 1 ? 1 : info->channels) + (info->channels == 1 ? 0 : channel);
}

static void
give_scratch (const CallContext *c)
{
  fv_error fault = FV_ERROR_INIT;
  gboolean waited = FALSE;
  for (guint i = 0; i < c->scratch->len; i++) {
    const Scratch *s = &g_array_index (c->scratch, Scratch, i);
    if (!s->on_host) {
      device_give (c->device, s->memory, s->bytes);
      continue;
    }
    /* A copy from it may still be going on; an error of that comes up again where the results are taken. */
    if (!waited)
      c->device->fv->synchronize (c->device->fv, c->device->stream, &fault);
    waited = TRUE;
    device_give_host (c->device, s->memory, s->bytes);
  }
  g_array_set_size (c->scratch, 0);
}

fv_status
call_context_run (CallContext *c, CallArray *in, CallArray *out, double *scalars, fv_error *error)
{
  const fv_array *in_at[OP_MAX_ARRAYS] = {NULL}, *out_at[OP_MAX_ARRAYS] = {NULL};
  guint blocks = c->rows.blocks->len;
  const fv_table *tables_at[OP_MAX_ARRAYS] = {NULL};
  CallTable tables[OP_MAX_ARRAYS];
  fv_status status;
  for (guint i = 0; i < c->op->n_inputs; i++) {
    in_at[i] = c->inputs[i] ? &in[i].array : NULL;
    if (!c->tables || !c->tables[i])
      continue;
    call_table_init (&tables[i], c->tables[i], c->groups > c->stacks && !c->by_plane ? c->group / c->stacks : -1);
    tables_at[i] = &tables[i].table;
  }
  for (guint i = 0; i < c->op->n_outputs; i++)
    out_at[i] = &out[i].array;
  c->call.inputs = in_at;
  c->call.outputs = out_at;
  c->call.scalars = scalars;
  c->call.tables = tables_at;
  c->call.frame = c->by_plane ? 0 : c->group / c->stacks;
  c->call.frames = c->by_plane ? 1 : c->groups / c->stacks;
  status = error_settle (c->op->fv.run[c->device->fv->kind](&c->call, error), error);
  if (status == FV_CANCELLED && !progress_is_stopped (c->progress))
    status = error_fill (error, FV_UNSUPPORTED, "It ended with the status for a canceled run, but was not canceled.");
  if (c->result->table && !call_rows_stand (&c->rows, blocks, table_columns (c->result->table)))
    status = error_fill (error, FV_UNSUPPORTED, "It wrote more rows into its table than it requested.");
  give_scratch (c);
  for (guint i = 0; i < c->op->n_inputs; i++)
    if (tables_at[i])
      call_table_clear (&tables[i]);
  return status;
}
