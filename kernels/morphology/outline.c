/* SPDX-License-Identifier: MIT
 *
 * outline: a stretch of a row at a time; flags say where a neighbor differs, gathered from one row of neighbors after the other.
 */
#include "kernels/morphology/outline.h"
#include "kernels/common/rows.h"

#include "kernels/morphology/pieces.h"

enum { STRETCH = 1024 }; /* pixels */

/* Whether a pixel is of another object than its neighbor. */
#define DIFFERS(A, B) (mask ? ((A) != 0) != ((B) != 0) : (A) != (B))

/* Pixels from ... to-1 of a row of n; near: the row of neighbors, or NULL outside the image. */
#define DEFINE_ROWS(NAME, T)                                                                                           \
  VECTORISED static void flag_##NAME (const T *row, const T *near, int reach, bool mask, int64_t from, int64_t to,     \
                                      uint8_t *flags)                                                                  \
  {                                                                                                                    \
    for (int64_t x = from; x < to; x++)                                                                                \
      flags[x - from] |= DIFFERS (row[x], near[x]);                                                                    \
    for (int64_t x = from; reach && x < to; x++)                                                                       \
      flags[x - from] |= DIFFERS (row[x], near[x - 1]) | DIFFERS (row[x], near[x + 1]);                                \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void write_##NAME (T *restrict out, const T *restrict in, const uint8_t *restrict flags,           \
                                       int64_t n)                                                                      \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      out[i] = flags[i] && (in[i] < 0 || in[i] > 0) ? in[i] : 0;                                                       \
  }                                                                                                                    \
                                                                                                                       \
  static void outline_##NAME (void *out, const void *const *rows, const outline_rows *r, bool mask, int64_t n)         \
  {                                                                                                                    \
    uint8_t flags[STRETCH];                                                                                            \
    for (int64_t x = 0; x < n; x += STRETCH) {                                                                         \
      int64_t end = x + STRETCH < n ? x + STRETCH : n, from = x ? x : 1, to = end < n ? end : n - 1;                   \
      memset (flags, 0, sizeof flags);                                                                                 \
      flags[0] = x == 0;                                                                                               \
      flags[end - 1 - x] |= end == n;                                                                                  \
      for (int i = 0; i < r->n; i++)                                                                                   \
        if (rows[i])                                                                                                   \
          flag_##NAME (rows[0], rows[i], r->row[i].reach, mask, from, to, flags + (from - x));                         \
        else                                                                                                           \
          memset (flags, 1, sizeof flags);                                                                             \
      write_##NAME ((T *) out + x, (const T *) rows[0] + x, flags, end - x);                                           \
    }                                                                                                                  \
  }
DEFINE_ROWS (u8, uint8_t)
DEFINE_ROWS (u16, uint16_t)
DEFINE_ROWS (i32, int32_t)
DEFINE_ROWS (f32, float)
DEFINE_ROWS (f64, double)

static void
outline_row (const fv_call *call, const void *near, int64_t z, int64_t y)
{
  const fv_array *in = call->inputs[0];
  const outline_rows *r = near;
  const void *rows[9];
  for (int i = 0; i < r->n; i++) {
    int64_t other_z = z + r->row[i].dz, other_y = y + r->row[i].dy;
    bool inside = other_z >= 0 && other_z < array_planes (in) && other_y >= 0 && other_y < array_rows (in);
    rows[i] = inside ? array_row (in, other_z, other_y) : NULL;
  }
  WITH_TYPE (in->grid->type, outline, array_row (call->outputs[0], z, y), rows, r, in->grid->role == FV_MASK,
             array_columns (in))
}

static fv_status
outline_cpu (const fv_call *call, fv_error *error)
{
  const outline_rows near = outline_rows_of (call->args);
  return rows_cpu (call, outline_row, &near, error);
}

static void
outline_halo (const fv_op *op, const void *args, const fv_grid *input, int64_t halo[3])
{
  (void) op, (void) input;
  halo[0] = ((const label_args *) args)->volume;
  halo[1] = halo[2] = 1;
}

const fv_op fv_op_outline = {
  FV_OP (label_args),
  .key = "outline",
  .menu = "Process/Binary",
  .label = "Outline",
  .search = "edge boundary contour border perimeter",
  .help = "Keeps the pixels of objects that have a neighbor outside their object.",
  .kind = FV_LOCAL,
  .inputs = pieces_inputs,
  .outputs = pieces_outputs,
  .params = (const fv_param[]){PIECES_CONNECTIVITY,
                               {FV_FIELD (label_args, volume), .label = "3-D (whole stack)",
                                .help = "Looks at the neighbors in the planes above and below, too."},
                               {0}},
  .grain = pieces_grain,
  .halo = outline_halo,
  .infer = pieces_infer,
  .run = {[FV_CPU] = outline_cpu, [FV_CUDA] = FV_CUDA_FN (outline_cuda)},
};
