/* SPDX-License-Identifier: MIT
 */
#include "tests/support/raw_call.h"

#include <stdlib.h>
#include <math.h>
#include <string.h>

enum { PADDING = 5, CANARY = 128, POISON = 0xA5, ROWS = 7 };

typedef struct {
  fv_array array;
  fv_grid grid;
  int64_t strides[3];
  guint8 *block; /* canary, padded rows, canary */
  guint8 *there; /* the same on the device; or the same block */
  gsize bytes, pixel;
} Padded;

typedef struct {
  fv_call call;
  RawResult *result;
  Device *device; /* NULL: the CPU, without a device's functions */
  gint64 stop_at;
  GPtrArray *scratch, *on_host, *tables;
} Raw;

/* A table's. */
typedef struct {
  gsize n;
  double values[];
} RawCells;

/* ---- The device ---- */

static guint8 *
take (const Raw *raw, gsize bytes)
{
  fv_error fault = FV_ERROR_INIT;
  void *memory;
  if (!raw->device)
    memory = memset (aligned_alloc (64, (bytes + 64) / 64 * 64), POISON, bytes);
  else if (raw->device->fv->alloc (raw->device->fv, raw->device->stream, MAX (1, bytes), &memory, &fault))
    g_error ("%s", fault.text);
  return memory;
}

static void
give (const Raw *raw, gpointer memory)
{
  if (!raw->device)
    free (memory);
  else
    raw->device->fv->free (raw->device->fv, raw->device->stream, memory);
}

/* Copies and waits. */
static void
copy (const Raw *raw, void *to, const void *from, gsize bytes, fv_copy direction)
{
  const fv_device *fv = raw->device ? raw->device->fv : NULL;
  fv_error fault = FV_ERROR_INIT;
  if (!fv)
    memcpy (to, from, bytes);
  else if (fv->copy (fv, raw->device->stream, to, bytes, from, bytes, bytes, 1, direction, &fault)
           || fv->synchronize (fv, raw->device->stream, &fault))
    g_error ("%s", fault.text);
}

/* ---- Host services ---- */

static fv_status
raw_scratch (const fv_call *call, size_t bytes, void **memory, fv_error *error)
{
  Raw *raw = (Raw *) (gpointer) call;
  (void) error;
  raw->result->scratch += bytes;
  *memory = take (raw, bytes);
  g_ptr_array_add (raw->scratch, *memory);
  return FV_OK;
}

static fv_status
raw_host_scratch (const fv_call *call, size_t bytes, void **memory, fv_error *error)
{
  Raw *raw = (Raw *) (gpointer) call;
  if (!raw->device)
    return raw_scratch (call, bytes, memory, error);
  *memory = memset (aligned_alloc (64, (bytes + 64) / 64 * 64), POISON, bytes);
  g_ptr_array_add (raw->on_host, *memory);
  return FV_OK;
}

static int
raw_tick (const fv_call *call, int64_t done, int64_t total)
{
  Raw *raw = (Raw *) (gpointer) call;
  g_assert_cmpint (done, >=, 0);
  g_assert_cmpint (done, <=, total);
  if (++raw->result->ticks != raw->stop_at)
    return 0;
  raw->result->asked_early = done < total;
  return 1;
}

static fv_status
raw_read (const fv_call *call, void *to, const void *from, size_t bytes, fv_error *error)
{
  (void) error;
  copy ((const Raw *) (gconstpointer) call, to, from, bytes, FV_TO_HOST);
  return FV_OK;
}

static fv_status
raw_table (const fv_call *call, const fv_column *columns, uint32_t n, uint32_t size, int64_t rows, double **values,
           fv_error *error)
{
  (void) columns;
  (void) size;
  (void) error;
  const gsize cells = (gsize) n * (gsize) rows;
  RawCells *block = g_malloc (sizeof *block + cells * sizeof (double));
  block->n = cells;
  *values = memset (block->values, POISON, cells * sizeof (double));
  g_ptr_array_add (((Raw *) (gpointer) call)->tables, block);
  return FV_OK;
}

/* Fails when a cell of a table was not written. */
static void
tables_check (const GPtrArray *tables, const char *key)
{
  double poison;
  memset (&poison, POISON, sizeof poison);
  for (guint i = 0; i < tables->len; i++) {
    const RawCells *block = tables->pdata[i];
    for (gsize k = 0; k < block->n; k++)
      if (!memcmp (&block->values[k], &poison, sizeof poison))
        g_error ("%s has not written cell %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " of its table", key, k, block->n);
  }
}

/* The first letter represents a text well enough. */
static fv_status
raw_text (const fv_call *call, const char *text, double *number, fv_error *error)
{
  (void) call, (void) error;
  *number = *text ? *text : NAN;
  return FV_OK;
}

static void
raw_log (const fv_call *call, const char *text)
{
  (void) call;
  g_assert_nonnull (text);
}

/* Nothing is kept. */
static void *
raw_take_state (const fv_call *call, const char *key)
{
  (void) call, (void) key;
  return NULL;
}

static void
raw_leave_state (const fv_call *call, const char *key, void *state, void (*release) (const fv_device *, void *))
{
  (void) key;
  if (release)
    release (call->device, state);
}

/* No more than is needed, so that the seams of what is done by rows are everywhere. */
static fv_status
raw_rows_in (const fv_call *call, uint32_t input, int64_t end_needed, int64_t *end, fv_error *error)
{
  (void) error;
  g_assert_cmpint (end_needed, >=, 0);
  g_assert_cmpint (end_needed, <=, call->inputs[input]->tensor.shape[1]);
  *end = end_needed;
  return FV_OK;
}

static fv_status
raw_rows_out (const fv_call *call, uint32_t output, int64_t end, int64_t *next, fv_error *error)
{
  gint64 rows = call->outputs[output]->tensor.shape[1];
  (void) error;
  g_assert_cmpint (end, >=, 0);
  g_assert_cmpint (end, <=, rows);
  *next = MIN (rows, end + ROWS);
  return FV_OK;
}

static const fv_host raw_host = {.size = sizeof (fv_host),
                                 .scratch = raw_scratch,
                                 .tick = raw_tick,
                                 .read = raw_read,
                                 .table = raw_table,
                                 .log = raw_log,
                                 .text = raw_text,
                                 .host_scratch = raw_host_scratch,
                                 .take_state = raw_take_state,
                                 .leave_state = raw_leave_state,
                                 .rows_in = raw_rows_in,
                                 .rows_out = raw_rows_out};

/* ---- A table as an input: it has some of the labels from 1 to 9 ---- */

static const fv_column raw_columns[] = {{"label", "", NULL, FV_COLUMN_INTEGER}, {"area", "px", NULL, FV_COLUMN_FLOAT}};
static const double raw_labels[] = {1, 3, 4, 7, 9}, raw_areas[] = {5, 2, NAN, 8, 1};
static const fv_table raw_given = {.size = sizeof raw_given,
                                   .n_columns = 2,
                                   .column_size = sizeof (fv_column),
                                   .columns = raw_columns,
                                   .rows = 5,
                                   .values = (const double *const[]){raw_labels, raw_areas},
                                   .texts = (const char *const *const[]){NULL, NULL}};

static Table *
given_table (void)
{
  Table *table = table_new ();
  double *values = g_new (double, 2 * raw_given.rows);
  for (guint j = 0; j < raw_given.n_columns; j++) {
    table_add_column (table, raw_columns[j].key, raw_columns[j].unit, NULL, raw_columns[j].type);
    memcpy (values + (gint64) j * raw_given.rows, raw_given.values[j], (gsize) raw_given.rows * sizeof *values);
  }
  table_take_rows (table, values, raw_given.rows);
  return table;
}

gboolean
call_with_tables (const Op *op, gconstpointer args, Image *const *inputs, Device *device, const CallTarget *target,
                  CallResult *result, GError **error)
{
  g_autoptr (Table) table = given_table ();
  Table *tables[OP_MAX_ARRAYS] = {NULL};
  for (guint i = 0; i < op->n_inputs; i++)
    tables[i] = op->fv.inputs[i].types & FV_WANTS_TABLE ? table : NULL;
  return call_op_start (op, args, &(CallInputs){inputs, tables}, device, target, NULL, result, error)
         && call_settle (op, result, error);
}

/* ---- Arrays with padded rows ---- */

static void
padded_make (Padded *p, const fv_grid *grid)
{
  gint64 stride = grid->shape[2] + PADDING;
  guint8 bits = grid->type == FV_U8 ? 8 : grid->type == FV_U16 ? 16 : grid->type == FV_F64 ? 64 : 32;
  guint8 code = grid->type & FV_FLOATS ? kDLFloat : grid->type == FV_I32 ? kDLInt : kDLUInt;
  p->grid = *grid;
  p->array.size = sizeof p->array;
  p->array.grid = &p->grid;
  p->pixel = bits / 8;
  p->bytes = (gsize) (grid->shape[0] * grid->shape[1] * stride) * p->pixel;
  p->block = g_malloc (p->bytes + 2 * CANARY);
  memset (p->block, POISON, p->bytes + 2 * CANARY);
  p->strides[0] = grid->shape[1] * stride;
  p->strides[1] = stride;
  p->strides[2] = 1;
  p->array.tensor = (DLTensor){.ndim = 3, .dtype = {code, bits, 1}, .shape = p->grid.shape, .strides = p->strides};
}

/* Brings the block to the device. */
static void
padded_send (const Raw *raw, Padded *p)
{
  p->there = p->block;
  if (raw->device) {
    p->there = take (raw, p->bytes + 2 * CANARY);
    copy (raw, p->there, p->block, p->bytes + 2 * CANARY, FV_TO_DEVICE);
  }
  p->array.tensor.data = p->there + CANARY;
  p->array.tensor.device = raw->device ? raw->device->fv->dl : (DLDevice){kDLCPU, 0};
}

/* And back. */
static void
padded_fetch (const Raw *raw, Padded *p)
{
  if (!raw->device)
    return;
  copy (raw, p->block, p->there, p->bytes + 2 * CANARY, FV_TO_HOST);
  give (raw, p->there);
}

/* Copies rows between the padded block and a dense one. */
static void
padded_rows (const Padded *p, guint8 *dense, gboolean to_dense)
{
  const int64_t *shape = p->grid.shape;
  gsize row = (gsize) shape[2] * p->pixel;
  for (gint64 i = 0; i < shape[0] * shape[1]; i++) {
    guint8 *at = p->block + CANARY + (gsize) (i * p->strides[1]) * p->pixel;
    memcpy (to_dense ? dense + (gsize) i * row : at, to_dense ? at : dense + (gsize) i * row, row);
  }
}

/* Fails when anything but the pixels was written. */
static void
padded_check (const Padded *p)
{
  const int64_t *shape = p->grid.shape;
  for (gsize i = 0; i < CANARY; i++)
    if (p->block[i] != POISON || p->block[CANARY + p->bytes + i] != POISON)
      g_error ("memory around an array was written");
  for (gint64 i = 0; i < shape[0] * shape[1]; i++)
    for (gsize k = 0; k < PADDING * p->pixel; k++)
      if (p->block[CANARY + (gsize) (i * p->strides[1] + shape[2]) * p->pixel + k] != POISON)
        g_error ("the padding of row %" G_GINT64_FORMAT " was written", i);
}

static void
grid_from (fv_grid *grid, const ImageInfo *info, gboolean frame)
{
  *grid = (fv_grid){.size = sizeof *grid,
                    .type = info->type,
                    .role = info->role,
                    .channels = frame ? info->channels : 1,
                    .frames = 1,
                    .shape = {image_info_planes (info), info->rows, info->columns},
                    .spacing = {info->spacing[0], info->spacing[1], info->spacing[2]},
                    .dense = info->dense};
}

void
raw_result_clear (RawResult *r)
{
  for (guint i = 0; i < r->n_outputs; i++)
    g_free (r->outputs[i]);
}

/* What the call needs; inputs are padded copies, of which `before` has copies, and outputs are full of poison. */
typedef struct {
  Padded in[OP_MAX_ARRAYS], out[OP_MAX_ARRAYS];
  guint8 *before[OP_MAX_ARRAYS];
  const fv_array *in_at[OP_MAX_ARRAYS], *out_at[4];
  const fv_table *tables_at[OP_MAX_ARRAYS];
} Arrays;

static void
make_inputs (Arrays *a, const Raw *raw, const Op *op, gboolean frame, Image *const *inputs)
{
  g_assert_cmpint (op->n_inputs, <=, OP_MAX_ARRAYS);
  for (guint i = 0; i < op->n_inputs; i++) {
    fv_grid grid;
    a->tables_at[i] = op->fv.inputs[i].types & FV_WANTS_TABLE ? &raw_given : NULL;
    if (!inputs[i])
      continue;
    grid_from (&grid, image_info (inputs[i]), frame);
    padded_make (&a->in[i], &grid);
    padded_rows (&a->in[i], image_pixels (inputs[i]), FALSE);
    padded_send (raw, &a->in[i]);
    a->before[i] = g_memdup2 (a->in[i].block, a->in[i].bytes + 2 * CANARY);
    a->in_at[i] = &a->in[i].array;
  }
}

static void
make_outputs (Arrays *a, const Raw *raw, const Op *op, gconstpointer args, RawResult *r)
{
  const fv_grid *in_grids[OP_MAX_ARRAYS] = {NULL};
  fv_grid *out_grids[OP_MAX_ARRAYS];
  for (guint i = 0; i < op->n_inputs; i++)
    in_grids[i] = a->in_at[i] ? a->in_at[i]->grid : NULL;
  for (guint i = 0; i < op->n_outputs; i++) {
    r->grids[i] = *in_grids[0];
    out_grids[i] = &r->grids[i];
  }
  r->status = op->fv.infer ? op->fv.infer (op->declared, args, in_grids, out_grids, &r->error) : FV_OK;
  g_assert_cmpint (r->status, ==, FV_OK);
  for (guint i = 0; i < op->n_outputs; i++) {
    padded_make (&a->out[i], &r->grids[i]);
    padded_send (raw, &a->out[i]);
    a->out_at[i] = &a->out[i].array;
  }
}

/* Checks the inputs and takes the pixels of the outputs. */
static void
take_results (Arrays *a, const Raw *raw, const Op *op, RawResult *r)
{
  for (guint i = 0; i < op->n_inputs; i++)
    if (a->in_at[i]) {
      padded_fetch (raw, &a->in[i]);
      g_assert_true (!memcmp (a->before[i], a->in[i].block, a->in[i].bytes + 2 * CANARY));
      g_free (a->before[i]);
      g_free (a->in[i].block);
    }
  for (guint i = 0; i < op->n_outputs; i++) {
    const int64_t *shape = r->grids[i].shape;
    padded_fetch (raw, &a->out[i]);
    padded_check (&a->out[i]);
    r->sizes[i] = (gsize) (shape[0] * shape[1] * shape[2]) * a->out[i].pixel;
    r->outputs[i] = g_malloc (r->sizes[i]);
    padded_rows (&a->out[i], r->outputs[i], TRUE);
    g_free (a->out[i].block);
  }
}

void
raw_call (const Op *op, gconstpointer args, Image *const *inputs, Device *device, gint64 stop_at, RawResult *r)
{
  static const fv_device cpu = {.size = sizeof (fv_device), .kind = FV_CPU, .key = "cpu", .dl = {kDLCPU, 0}};
  fv_grain grain = op->fv.grain ? op->fv.grain (op->declared, args) : FV_PLANES;
  Arrays arrays = {.before = {NULL}};
  g_autoptr (GPtrArray) scratch = g_ptr_array_new (), on_host = g_ptr_array_new_with_free_func (free),
                        tables = g_ptr_array_new_with_free_func (g_free);
  Raw raw = {.call = {.size = sizeof (fv_call),
                      .op = op->declared,
                      .args = args,
                      .inputs = arrays.in_at,
                      .outputs = arrays.out_at,
                      .tables = arrays.tables_at,
                      .device = device ? device->fv : &cpu,
                      .stream = device ? device->stream : &raw,
                      .host = &raw_host},
             .result = r,
             .device = device,
             .stop_at = stop_at,
             .scratch = scratch,
             .on_host = on_host,
             .tables = tables};
  g_autofree gpointer args_before = g_memdup2 (args, MAX (1, op->fv.args_size));

  *r = (RawResult){.n_outputs = op->n_outputs, .error = FV_ERROR_INIT};
  make_inputs (&arrays, &raw, op, grain >= FV_FRAME, inputs);
  make_outputs (&arrays, &raw, op, args, r);
  r->n_scalars = op->n_scalars * (guint) (grain == FV_PLANES ? arrays.in[0].grid.shape[0] : 1);
  g_assert_cmpint (r->n_scalars, <=, G_N_ELEMENTS (r->scalars));
  raw.call.scalars = (double *) (gpointer) take (&raw, sizeof r->scalars);
  r->status = op->fv.run[device ? device->fv->kind : FV_CPU](&raw.call, &r->error);
  if (r->n_scalars)
    copy (&raw, r->scalars, raw.call.scalars, r->n_scalars * sizeof (double), FV_TO_HOST);
  if (r->status == FV_OK)
    tables_check (tables, op->fv.key);
  g_assert_true (!memcmp (args, args_before, MAX (1, op->fv.args_size)));
  take_results (&arrays, &raw, op, r);
  give (&raw, raw.call.scalars);
  for (guint i = 0; i < scratch->len; i++)
    give (&raw, scratch->pdata[i]);
}
