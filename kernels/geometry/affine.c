/* SPDX-License-Identifier: MIT
 *
 * A row of the result at a time, some pixels of it in double.
 */
#include "kernels/geometry/affine.h"
#include "kernels/common/row.h"

const char affine_cite[] =
  "R. Keys, Cubic convolution interpolation for digital image processing, IEEE Transactions on Acoustics, Speech, "
  "and Signal Processing 29 (1981)";

enum { BLOCK = 1024 };

void
affine_directions (double degrees, double *c, double *s)
{
  double quarter = nearbyint (degrees / 90), rest = (degrees - 90 * quarter) * (acos (-1) / 180);
  const double cosine = cos (rest), sine = sin (rest);
  switch (((int64_t) quarter % 4 + 4) % 4) {
  case 0: *c = cosine, *s = sine; break;
  case 1: *c = -sine, *s = cosine; break;
  case 2: *c = -cosine, *s = -sine; break;
  default: *c = sine, *s = -cosine;
  }
}

fv_status
affine_infer (const fv_grid *in, fv_grid *out, int32_t interpolation, border outside, double value, fv_error *error)
{
  if (in->role == FV_LABELS && interpolation != AFFINE_NEAREST)
    return fail (error, FV_BAD_ARGUMENT, "interpolation",
                 "Between the numbers of two objects there is none: use interpolation=nearest for a label image.");
  if ((in->role == FV_MASK && interpolation != AFFINE_NEAREST)
      || (in->role != FV_RGB && outside == BORDER_CONSTANT && value != 0))
    out->role = FV_IMAGE;
  out->dense = false;
  return FV_OK;
}

#define DEFINE_AFFINE(NAME, T)                                                                                         \
  INLINE double sample_##NAME (const fv_array *in, int64_t plane, const affine_taps *h, const affine_taps *v,          \
                               border b, double constant)                                                              \
  {                                                                                                                    \
    int64_t rows = array_rows (in), columns = array_columns (in);                                                      \
    double sum = 0;                                                                                                    \
    for (int32_t j = 0; j < v->count; j++) {                                                                           \
      int64_t y = border_index (v->first + j, rows, b);                                                                \
      const T *row = y < 0 ? NULL : array_row (in, plane, y);                                                          \
      double line = 0;                                                                                                 \
      for (int32_t i = 0; i < h->count; i++) {                                                                         \
        int64_t x = border_index (h->first + i, columns, b);                                                           \
        line += affine_times (h->weight[i], row && x >= 0 ? (double) row[x] : constant);                               \
      }                                                                                                                \
      sum += affine_times (v->weight[j], line);                                                                        \
    }                                                                                                                  \
    return sum;                                                                                                        \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void affine_##NAME (const fv_array *in, const affine_map *m, const affine_rule *r, int64_t plane,  \
                                        int64_t y, int64_t first, int64_t n, double *values)                           \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      affine_taps h, v;                                                                                                \
      double across, down;                                                                                             \
      affine_place (m, first + i, y, &across, &down);                                                                  \
      affine_taps_at (across, r->count, &h);                                                                           \
      affine_taps_at (down, r->count, &v);                                                                             \
      values[i] = sample_##NAME (in, plane, &h, &v, r->border, r->value);                                              \
    }                                                                                                                  \
  }
DEFINE_AFFINE (u8, uint8_t)
DEFINE_AFFINE (u16, uint16_t)
DEFINE_AFFINE (i32, int32_t)
DEFINE_AFFINE (f32, float)
DEFINE_AFFINE (f64, double)

fv_status
affine_cpu (const fv_call *call, const affine_map *maps, const affine_rule *rule, fv_error *error)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const fv_type type = in->grid->type;
  int64_t planes = array_planes (out), rows = array_rows (out), columns = array_columns (out);
  progress p = {call, .total = planes * rows};

#pragma omp parallel for collapse(2) schedule(dynamic, 16)
  for (int64_t plane = 0; plane < planes; plane++)
    for (int64_t y = 0; y < rows; y++) {
      const affine_map *m = maps + plane / rule->each % rule->maps;
      double values[BLOCK];
      if (progress_stopped (&p))
        continue;
      for (int64_t x = 0, n; x < columns; x += n) {
        n = columns - x < BLOCK ? columns - x : BLOCK;
        WITH_TYPE (type, affine, in, m, rule, plane, y, x, n, values)
        row_from_f64 ((char *) array_row (out, plane, y) + x * (int64_t) type_bytes (type), type, values, n);
      }
      progress_step (&p, 1);
    }
  return p.stop ? cancelled (error) : FV_OK;
}
