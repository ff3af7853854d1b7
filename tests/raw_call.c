/* SPDX-License-Identifier: MIT
 */
#include "raw_call.h"

#include <stdlib.h>
#include <string.h>

enum { PADDING = 5, CANARY = 128, POISON = 0xA5 };

typedef struct {
  fv_array array;
  int64_t strides[3];
  guint8 *block; /* canary, padded rows, canary */
  gsize bytes, pixel;
} Padded;

typedef struct {
  fv_call call;
  RawResult *result;
  gint64 stop_at;
  GPtrArray *scratch;
} Raw;

static fv_status
raw_scratch (const fv_call *call, size_t bytes, void **memory, fv_error *error)
{
  Raw *raw = (Raw *) (gpointer) call;
  (void) error;
  raw->result->scratch += bytes;
  *memory = aligned_alloc (64, (bytes + 64) / 64 * 64);
  memset (*memory, POISON, bytes);
  g_ptr_array_add (raw->scratch, *memory);
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
  (void) call;
  (void) error;
  memcpy (to, from, bytes);
  return FV_OK;
}

static fv_status
raw_table (const fv_call *call, const fv_column *columns, uint32_t n, uint32_t size, int64_t rows, double **values,
           fv_error *error)
{
  gsize before = ((Raw *) (gpointer) call)->result->scratch;
  (void) columns;
  (void) size;
  fv_status status = raw_scratch (call, (gsize) n * (gsize) rows * sizeof (double) + 1, (void **) values, error);
  ((Raw *) (gpointer) call)->result->scratch = before;
  return status;
}

static void
raw_log (const fv_call *call, const char *text)
{
  (void) call;
  g_assert_nonnull (text);
}

static const fv_host raw_host = {sizeof (fv_host), raw_scratch, raw_tick, raw_read, raw_table, raw_log};

static void
padded_make (Padded *p, const fv_grid *grid)
{
  gint64 stride = grid->shape[2] + PADDING;
  guint8 bits = grid->type == FV_U8 ? 8 : grid->type == FV_U16 ? 16 : grid->type == FV_F64 ? 64 : 32;
  guint8 code = grid->type & FV_FLOATS ? kDLFloat : grid->type == FV_I32 ? kDLInt : kDLUInt;
  p->array.grid = *grid;
  p->pixel = bits / 8;
  p->bytes = (gsize) (grid->shape[0] * grid->shape[1] * stride) * p->pixel;
  p->block = g_malloc (p->bytes + 2 * CANARY);
  memset (p->block, POISON, p->bytes + 2 * CANARY);
  p->strides[0] = grid->shape[1] * stride;
  p->strides[1] = stride;
  p->strides[2] = 1;
  p->array.tensor = (DLTensor){.data = p->block + CANARY,
                               .device = {kDLCPU, 0},
                               .ndim = 3,
                               .dtype = {code, bits, 1},
                               .shape = p->array.grid.shape,
                               .strides = p->strides};
}

/* Copies rows between the padded block and a dense one. */
static void
padded_rows (const Padded *p, guint8 *dense, gboolean to_dense)
{
  const int64_t *shape = p->array.grid.shape;
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
  const int64_t *shape = p->array.grid.shape;
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
  *grid = (fv_grid){.type = info->type,
                    .role = info->role,
                    .channels = frame ? info->channels : 1,
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

void
raw_call (const Op *op, gconstpointer args, Image *const *inputs, gint64 stop_at, RawResult *r)
{
  fv_grain grain = op->fv.grain ? op->fv.grain (args) : FV_PLANES;
  Padded in[4], out[4];
  guint8 *before[4];
  const fv_array *in_at[4] = {NULL}, *out_at[4] = {NULL};
  const fv_grid *in_grids[4] = {NULL};
  fv_grid *out_grids[4];
  g_autoptr (GPtrArray) scratch = g_ptr_array_new_with_free_func (free);
  Raw raw = {.call = {.size = sizeof (fv_call),
                      .args = args,
                      .inputs = in_at,
                      .outputs = out_at,
                      .scalars = r->scalars,
                      .stream = &raw,
                      .host = &raw_host},
             .result = r,
             .stop_at = stop_at,
             .scratch = scratch};
  g_autofree gpointer args_before = g_memdup2 (args, MAX (1, op->fv.args_size));

  *r = (RawResult){.n_outputs = op->n_outputs};
  g_assert_cmpint (op->n_inputs, <=, 4);
  for (guint i = 0; i < op->n_inputs; i++) {
    fv_grid grid;
    if (!inputs[i])
      continue;
    grid_from (&grid, image_info (inputs[i]), grain == FV_FRAME);
    padded_make (&in[i], &grid);
    padded_rows (&in[i], image_pixels (inputs[i]), FALSE);
    before[i] = g_memdup2 (in[i].block, in[i].bytes + 2 * CANARY);
    in_at[i] = &in[i].array;
    in_grids[i] = &in[i].array.grid;
  }
  for (guint i = 0; i < op->n_outputs; i++) {
    r->grids[i] = *in_grids[0];
    out_grids[i] = &r->grids[i];
  }
  r->status = op->fv.infer ? op->fv.infer (args, in_grids, out_grids, &r->error) : FV_OK;
  g_assert_cmpint (r->status, ==, FV_OK);
  for (guint i = 0; i < op->n_outputs; i++) {
    padded_make (&out[i], &r->grids[i]);
    out_at[i] = &out[i].array;
  }
  r->n_scalars = op->n_scalars * (guint) (grain == FV_PLANES ? in[0].array.grid.shape[0] : 1);
  g_assert_cmpint (r->n_scalars, <=, G_N_ELEMENTS (r->scalars));
  r->status = op->fv.run[FV_CPU](&raw.call, &r->error);

  for (guint i = 0; i < op->n_inputs; i++)
    if (inputs[i]) {
      g_assert_true (!memcmp (before[i], in[i].block, in[i].bytes + 2 * CANARY));
      g_free (before[i]);
      g_free (in[i].block);
    }
  g_assert_true (!memcmp (args, args_before, MAX (1, op->fv.args_size)));
  for (guint i = 0; i < op->n_outputs; i++) {
    const int64_t *shape = r->grids[i].shape;
    padded_check (&out[i]);
    r->sizes[i] = (gsize) (shape[0] * shape[1] * shape[2]) * out[i].pixel;
    r->outputs[i] = g_malloc (r->sizes[i]);
    padded_rows (&out[i], r->outputs[i], TRUE);
    g_free (out[i].block);
  }
}
