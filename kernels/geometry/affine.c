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

void
affine_to_transform (const affine_map *m, fv_place *transform)
{
  const double rows[2][4] = {{0, m->yy, m->yx, m->at[1]}, {0, m->xy, m->xx, m->at[0]}};
  memcpy (transform->matrix[1], rows, sizeof rows);
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
      affine_position (m, first + i, y, &across, &down);                                                               \
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

/* ---- Linear floats ---- */

enum { MOST_BYTES = 48 << 10 }; /* of the pixels that a tile of AFFINE_SIDE x AFFINE_SIDE comes from */

/* Whether the positions of all pixels of the result are near enough to the image, seen from afar, to be counted in int32_t. */
static bool
is_near (const affine_map *m, double columns, double rows)
{
  const double most = 1 << 29;
  return fabs (m->xx) * columns + fabs (m->xy) * rows + fabs (m->at[0]) < most
         && fabs (m->yx) * columns + fabs (m->yy) * rows + fabs (m->at[1]) < most;
}

bool
affine_by_floats (const fv_array *in, const fv_array *out, const affine_map *m, const affine_rule *rule)
{
  const double side = AFFINE_SIDE - 1, width = side * (fabs (m->xx) + fabs (m->xy)) + 3 + AFFINE_PIECE - 1,
               height = side * (fabs (m->yx) + fabs (m->yy)) + 3;
  return rule->by_floats && in->grid->type == FV_F32 && rule->count == 2 && m->xx * m->xy * m->yx * m->yy != 0
         && is_near (m, (double) array_columns (out), (double) array_rows (out)) && array_columns (in) <= 1 << 29
         && array_rows (in) <= 1 << 29 && width * height * (double) sizeof (float) <= MOST_BYTES;
}

VECTORISED static void
find_positions (const affine_map *m, int64_t first, int64_t y, int64_t n, int64_t *across, int64_t *down)
{
  const int64_t anchor = y / AFFINE_SIDE * AFFINE_SIDE + y % AFFINE_APART, steps = (y - anchor) / AFFINE_APART;
  const int64_t right = steps * affine_units (AFFINE_APART * m->xy),
                below = steps * affine_units (AFFINE_APART * m->yy);
  for (int64_t i = 0; i < n; i++) {
    double u, v;
    affine_position (m, first + i, anchor, &u, &v);
    across[i] = affine_units (u) + right;
    down[i] = affine_units (v) + below;
  }
}

/* Some pixels of a row of the result: where they come from, the four pixels around these, and the results. */
typedef struct floats_row {
  int64_t across[BLOCK], down[BLOCK];
  float pixels[4][BLOCK], values[BLOCK];
  uint8_t sure[BLOCK];
} floats_row;

static float
pixel_or_value (const fv_array *in, const affine_rule *r, int64_t plane, int64_t y, int64_t x)
{
  y = border_index (y, array_rows (in), r->border);
  x = border_index (x, array_columns (in), r->border);
  return y < 0 || x < 0 ? (float) r->value : ((const float *) array_row (in, plane, y))[x];
}

static void
fetch_pixels (const fv_array *in, const affine_rule *r, int64_t plane, int64_t n, floats_row *f)
{
  const int64_t rows = array_rows (in), columns = array_columns (in), pitch = in->tensor.strides[1];
  const float *first = array_row (in, plane, 0);
  for (int64_t i = 0; i < n; i++) {
    const int64_t x = f->across[i] >> 32, y = f->down[i] >> 32;
    const bool inside = (uint64_t) x + 1 < (uint64_t) columns && (uint64_t) y + 1 < (uint64_t) rows;
    if (x >= 0 && y >= 0 && inside) {
      const float *p = first + y * pitch + x;
      f->pixels[0][i] = p[0];
      f->pixels[1][i] = p[1];
      f->pixels[2][i] = p[pitch];
      f->pixels[3][i] = p[pitch + 1];
    } else
      for (int k = 0; k < 4; k++)
        f->pixels[k][i] = pixel_or_value (in, r, plane, y + k / 2, x + k % 2);
  }
}

VECTORISED static void
interpolate (int64_t n, floats_row *f)
{
  for (int64_t i = 0; i < n; i++) {
    const uint32_t across = (uint32_t) f->across[i], down = (uint32_t) f->down[i];
    f->values[i] = affine_between (f->pixels[0][i], f->pixels[1][i], f->pixels[2][i], f->pixels[3][i], across, down);
    f->sure[i] = affine_is_sure (f->values[i], across, down);
  }
}

static void
row_by_floats (const fv_array *in, const fv_array *out, const affine_map *m, const affine_rule *r, int64_t plane,
               int64_t y)
{
  const int64_t columns = array_columns (out);
  float *to = array_row (out, plane, y);
  floats_row f;
  for (int64_t x = 0, n; x < columns; x += n, to += n) {
    n = columns - x < BLOCK ? columns - x : BLOCK;
    find_positions (m, x, y, n, f.across, f.down);
    fetch_pixels (in, r, plane, n, &f);
    interpolate (n, &f);
    memcpy (to, f.values, (size_t) n * sizeof *to);
    for (int64_t i = 0; i < n; i++) {
      double exact;
      if (f.sure[i])
        continue;
      affine_f32 (in, m, r, plane, y, x + i, 1, &exact);
      to[i] = (float) exact;
    }
  }
}

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
      if (affine_by_floats (in, out, m, rule))
        row_by_floats (in, out, m, rule, plane, y);
      else
        for (int64_t x = 0, n; x < columns; x += n) {
          n = columns - x < BLOCK ? columns - x : BLOCK;
          WITH_TYPE (type, affine, in, m, rule, plane, y, x, n, values)
          row_from_f64 ((char *) array_row (out, plane, y) + x * (int64_t) type_bytes (type), type, values, n);
        }
      progress_step (&p, 1);
    }
  return p.stop ? cancelled (error) : FV_OK;
}
