/* SPDX-License-Identifier: MIT
 *
 * Sums over the intensities of objects, run by run.
 */
#include "kernels/regions/region_values.h"

#define PIECE_PIXELS ((int64_t) 1 << 16)

/* ---- Pieces ---- */

/* Cuts a region; to may be NULL. Returns the number of pieces. */
static int64_t
cut (const region *o, int64_t number, piece *to)
{
  int64_t n = 0, pixels = 0, start = 0;
  if (o->pixels <= PIECE_PIXELS) {
    if (to)
      *to = (piece){number, 0, o->n_runs};
    return 1;
  }
  for (int64_t i = 0; i < o->n_runs; i++) {
    pixels += o->runs[i].x1 - o->runs[i].x0;
    if (pixels >= PIECE_PIXELS || i + 1 == o->n_runs) {
      if (to)
        to[n] = (piece){number, start, i + 1 - start};
      n++, pixels = 0, start = i + 1;
    }
  }
  return n;
}

fv_status
pieces_make (const fv_call *call, const regions *r, pieces *p, fv_error *error)
{
  *p = (pieces){.regions = r};
  fv_status status = scratch_items (call, r->n + 1, sizeof *p->first, &p->first, error);
  if (status)
    return status;
  for (int64_t i = 0; i < r->n; i++) {
    p->first[i] = p->n;
    p->n += cut (r->items + i, i, NULL);
  }
  p->first[r->n] = p->n;
  status = scratch_items (call, p->n, sizeof *p->items, &p->items, error);
  for (int64_t i = 0; !status && i < r->n; i++)
    cut (r->items + i, i, p->items + p->first[i]);
  return status;
}

/* ---- Sums of one piece ---- */

typedef struct source {
  const fv_array *image;
  int64_t first_plane;
  const region *region;
  const run *runs, *end;
  const double *centre;
  bool volume;
} source;

#define FOR_EACH_RUN(T, S)                                                                                             \
  for (const run *r = (S)->runs; r < (S)->end; r++)                                                                    \
    for (const T *row = array_row ((S)->image, (S)->first_plane + r->z, r->y); row; row = NULL)

/* Minima, maxima and the sign of a NaN in separate lanes, which a compiler can keep in one vector. */
enum { LANES = 16 };
#define ADD_TO_RANGE(K, V)                                                                                             \
  low[K] = (V) < low[K] ? (V) : low[K], high[K] = (V) > high[K] ? (V) : high[K], nan[K] = (V) != (V) ? 1 : nan[K]

#define DEFINE_SUMS(NAME, T, SUM)                                                                                      \
  VECTORISED static void sum_##NAME (const source *s, double *to)                                                      \
  {                                                                                                                    \
    double all = 0;                                                                                                    \
    FOR_EACH_RUN (T, s)                                                                                                \
    {                                                                                                                  \
      SUM sum = 0;                                                                                                     \
      _Pragma ("omp simd reduction(+ : sum)") for (int64_t x = r->x0; x < r->x1; x++) sum += row[x];                   \
      all += (double) sum;                                                                                             \
    }                                                                                                                  \
    to[0] = all;                                                                                                       \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void range_##NAME (const source *s, double *to)                                                    \
  {                                                                                                                    \
    const run *start = s->runs;                                                                                        \
    T low[LANES], high[LANES], nan[LANES] = {0};                                                                       \
    for (int k = 0; k < LANES; k++)                                                                                    \
      low[k] = high[k] = ((const T *) array_row (s->image, s->first_plane + start->z, start->y))[start->x0];           \
    FOR_EACH_RUN (T, s)                                                                                                \
    {                                                                                                                  \
      int64_t x = r->x0;                                                                                               \
      for (; x + LANES <= r->x1; x += LANES)                                                                           \
        for (int k = 0; k < LANES; k++)                                                                                \
          ADD_TO_RANGE (k, row[x + k]);                                                                                \
      for (; x < r->x1; x++)                                                                                           \
        ADD_TO_RANGE (0, row[x]);                                                                                      \
    }                                                                                                                  \
    for (int k = 1; k < LANES; k++) {                                                                                  \
      ADD_TO_RANGE (0, low[k]);                                                                                        \
      ADD_TO_RANGE (0, high[k]);                                                                                       \
      nan[0] = nan[k] != 0 ? nan[k] : nan[0];                                                                          \
    }                                                                                                                  \
    to[0] = nan[0] != 0 ? NAN : (double) low[0];                                                                       \
    to[1] = nan[0] != 0 ? NAN : (double) high[0];                                                                      \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void powers_##NAME (const source *s, double *to)                                                   \
  {                                                                                                                    \
    double d2 = 0, d3 = 0, d4 = 0, mean = s->centre[0];                                                                \
    FOR_EACH_RUN (T, s)                                                                                                \
    {                                                                                                                  \
      _Pragma ("omp simd reduction(+ : d2, d3, d4)") for (int64_t x = r->x0; x < r->x1; x++)                           \
      {                                                                                                                \
        double d = (double) row[x] - mean, square = d * d;                                                             \
        d2 += square, d3 += square * d, d4 += square * square;                                                         \
      }                                                                                                                \
    }                                                                                                                  \
    to[0] = d2, to[1] = d3, to[2] = d4;                                                                                \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void moments_##NAME (const source *s, double *to)                                                  \
  {                                                                                                                    \
    const int32_t *low = s->region->low;                                                                               \
    memset (to, 0, (s->volume ? VOLUME_MOMENTS : PLANE_MOMENTS) * sizeof *to);                                         \
    FOR_EACH_RUN (T, s)                                                                                                \
    {                                                                                                                  \
      double s0 = 0, s1 = 0, s2 = 0, s3 = 0, left = low[2] + s->centre[2];                                             \
      _Pragma ("omp simd reduction(+ : s0, s1, s2, s3)") for (int32_t x = r->x0; x < r->x1; x++)                       \
      {                                                                                                                \
        double v = row[x], d = x - left, square = d * d;                                                               \
        s0 += v, s1 += v * d, s2 += v * square, s3 += v * square * d;                                                  \
      }                                                                                                                \
      double along[4] = {s0, s1, s2, s3};                                                                              \
      moments_add_row (to, s->volume, r->z - low[0] - s->centre[0], r->y - low[1] - s->centre[1], along);              \
    }                                                                                                                  \
  }
DEFINE_SUMS (u8, uint8_t, int64_t)
DEFINE_SUMS (u16, uint16_t, int64_t)
DEFINE_SUMS (i32, int32_t, int64_t)
DEFINE_SUMS (f32, float, double)
DEFINE_SUMS (f64, double, double)

static void
sum_piece (const source *s, region_sum what, double *to)
{
  fv_type type = s->image->grid->type;
  switch (what) {
  case REGION_SUM: WITH_TYPE (type, sum, s, to); break;
  case REGION_RANGE: WITH_TYPE (type, range, s, to); break;
  case REGION_POWERS: WITH_TYPE (type, powers, s, to); break;
  case REGION_MOMENTS: WITH_TYPE (type, moments, s, to); break;
  }
}

/* ---- Sums of the regions ---- */

static void
add_pieces (const pieces *p, region_sum what, int width, double *sums)
{
  for (int64_t i = 0; i < p->regions->n; i++) {
    double *to = sums + p->first[i] * width;
    for (const double *more = to + width; more < sums + p->first[i + 1] * width; more += width)
      if (what == REGION_RANGE) {
        to[0] = more[0] < to[0] || isnan (more[0]) ? more[0] : to[0];
        to[1] = more[1] > to[1] || isnan (more[1]) ? more[1] : to[1];
      } else
        for (int k = 0; k < width; k++)
          to[k] += more[k];
  }
}

fv_status
region_sums (const fv_call *call, const pieces *p, region_sum what, int width, const fv_array *image,
             int64_t first_plane, const double *centres, double *sums, fv_error *error)
{
  const int64_t chunk = 32;
  progress done = {call, .total = p->n};
#pragma omp parallel for schedule(dynamic, 1)
  for (int64_t start = 0; start < p->n; start += chunk) {
    int64_t end = start + chunk < p->n ? start + chunk : p->n;
    if (progress_stopped (&done))
      continue;
    for (int64_t i = start; i < end; i++) {
      const piece *q = p->items + i;
      const region *o = p->regions->items + q->region;
      source s = {.image = image,
                  .first_plane = first_plane,
                  .region = o,
                  .runs = o->runs + q->first,
                  .end = o->runs + q->first + q->n,
                  .centre = centres ? centres + q->region * (what == REGION_MOMENTS ? 3 : 1) : NULL,
                  .volume = width == VOLUME_MOMENTS};
      sum_piece (&s, what, sums + i * width);
    }
    progress_step (&done, end - start);
  }
  if (done.stop)
    return cancelled (error);
  add_pieces (p, what, width, sums);
  return FV_OK;
}
