/* SPDX-License-Identifier: MIT
 *
 * Sums over the intensities of objects, run by run.
 */
#include "kernels/regions/region_values.h"

#include "kernels/common/lanes.h"

/* ---- Pieces ---- */

/* Cuts a region; to may be NULL. Returns the number of pieces. */
static int64_t
cut (const region *o, int64_t number, run_piece *to)
{
  const int64_t n = (o->n_runs + REGION_BLOCK - 1) / REGION_BLOCK;
  for (int64_t i = 0; to && i < n; i++) {
    const int64_t first = i * REGION_BLOCK, left = o->n_runs - first;
    to[i] = (run_piece){number, first, left < REGION_BLOCK ? left : REGION_BLOCK};
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
  const double *center;
  bool volume;
} source;

#define FOR_EACH_RUN(T, S)                                                                                             \
  for (const run *r = (S)->runs; r < (S)->end; r++)                                                                    \
    for (const T *row = array_row ((S)->image, (S)->first_plane + r->z, r->y); row; row = NULL)

/* Minima, maxima and the sign of a NaN in separate lanes, which a compiler can keep in one vector. */
enum { RANGE_LANES = 16 };
#define ADD_TO_RANGE(K, V)                                                                                             \
  low[K] = (V) < low[K] ? (V) : low[K], high[K] = (V) > high[K] ? (V) : high[K], nan[K] = (V) != (V) ? 1 : nan[K]

/* Adds N sums of a run's pixels to TO; the last argument adds those of the pixel x to v[0 ... N - 1][l]. */
#define SUM_RUN(R, N, TO, ...)                                                                                         \
  for (int64_t from = (R)->x0; from < (R)->x1; from += REGION_CHUNK) {                                                 \
    const int64_t n = (R)->x1 - from < REGION_CHUNK ? (R)->x1 - from : REGION_CHUNK;                                   \
    double v[N][REGION_LANES] = {{0}};                                                                                 \
    int64_t i = 0;                                                                                                     \
    for (; i + REGION_LANES <= n; i += REGION_LANES)                                                                   \
      for (int l = 0; l < REGION_LANES; l++) {                                                                         \
        const int64_t x = from + i + l;                                                                                \
        __VA_ARGS__                                                                                                    \
      }                                                                                                                \
    for (int l = 0; i + l < n; l++) {                                                                                  \
      const int64_t x = from + i + l;                                                                                  \
      __VA_ARGS__                                                                                                      \
    }                                                                                                                  \
    for (int k = 0; k < (N); k++)                                                                                      \
      (TO)[k] += join_halves (v[k], REGION_LANES);                                                                     \
  }

#define POWER_TERMS                                                                                                    \
  const double d = (double) row[x] - mean, square = d * d;                                                             \
  v[0][l] += square;                                                                                                   \
  v[1][l] += square * d;                                                                                               \
  v[2][l] += square * square;
#define MOMENT_TERMS                                                                                                   \
  const double p = (double) row[x], d = (double) x - left, square = d * d;                                             \
  v[0][l] += p;                                                                                                        \
  v[1][l] += p * d;                                                                                                    \
  v[2][l] += p * square;                                                                                               \
  v[3][l] += p * square * d;

#define DEFINE_SUMS(NAME, T)                                                                                           \
  VECTORISED static void range_##NAME (const source *s, double *to)                                                    \
  {                                                                                                                    \
    const run *start = s->runs;                                                                                        \
    T low[RANGE_LANES], high[RANGE_LANES], nan[RANGE_LANES] = {0};                                                     \
    for (int k = 0; k < RANGE_LANES; k++)                                                                              \
      low[k] = high[k] = ((const T *) array_row (s->image, s->first_plane + start->z, start->y))[start->x0];           \
    FOR_EACH_RUN (T, s)                                                                                                \
    {                                                                                                                  \
      int64_t x = r->x0;                                                                                               \
      for (; x + RANGE_LANES <= r->x1; x += RANGE_LANES)                                                               \
        for (int k = 0; k < RANGE_LANES; k++)                                                                          \
          ADD_TO_RANGE (k, row[x + k]);                                                                                \
      for (; x < r->x1; x++)                                                                                           \
        ADD_TO_RANGE (0, row[x]);                                                                                      \
    }                                                                                                                  \
    for (int k = 1; k < RANGE_LANES; k++) {                                                                            \
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
    const double mean = s->center[0];                                                                                  \
    double lanes[REGION_LANES][3] = {{0}};                                                                             \
    FOR_EACH_RUN (T, s)                                                                                                \
    SUM_RUN (r, 3, lanes[(r - s->runs) % REGION_LANES], POWER_TERMS)                                                   \
    region_join_lanes (lanes[0], REGION_LANES, 3);                                                                     \
    memcpy (to, lanes[0], sizeof lanes[0]);                                                                            \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void moments_##NAME (const source *s, double *to)                                                  \
  {                                                                                                                    \
    const int width = s->volume ? VOLUME_MOMENTS : PLANE_MOMENTS;                                                      \
    const int64_t n = s->end - s->runs, used = n < REGION_LANES ? n : REGION_LANES;                                    \
    const int32_t *low = s->region->low;                                                                               \
    const double left = low[2] + s->center[2];                                                                         \
    double lanes[REGION_LANES * VOLUME_MOMENTS];                                                                       \
    memset (lanes, 0, (size_t) (used * width) * sizeof *lanes);                                                        \
    FOR_EACH_RUN (T, s)                                                                                                \
    {                                                                                                                  \
      double along[4] = {0};                                                                                           \
      SUM_RUN (r, 4, along, MOMENT_TERMS)                                                                              \
      moments_add_row (lanes + (r - s->runs) % REGION_LANES * width, s->volume, r->z - low[0] - s->center[0],          \
                       r->y - low[1] - s->center[1], along);                                                           \
    }                                                                                                                  \
    region_join_lanes (lanes, used, width);                                                                            \
    memcpy (to, lanes, (size_t) width * sizeof *to);                                                                   \
  }
DEFINE_SUMS (u8, uint8_t)
DEFINE_SUMS (u16, uint16_t)
DEFINE_SUMS (i32, int32_t)
DEFINE_SUMS (f32, float)
DEFINE_SUMS (f64, double)

/* Of integers: the sum itself, in place of a double. */
#define DEFINE_WHOLE_SUM(NAME, T)                                                                                      \
  VECTORISED static void sum_##NAME (const source *s, double *to)                                                      \
  {                                                                                                                    \
    int64_t all = 0;                                                                                                   \
    FOR_EACH_RUN (T, s)                                                                                                \
    for (int64_t x = r->x0; x < r->x1; x++)                                                                            \
      all += row[x];                                                                                                   \
    memcpy (to, &all, sizeof all);                                                                                     \
  }
DEFINE_WHOLE_SUM (u8, uint8_t)
DEFINE_WHOLE_SUM (u16, uint16_t)
DEFINE_WHOLE_SUM (i32, int32_t)

#define SUM_TERMS v[0][l] += (double) row[x];
#define DEFINE_REAL_SUM(NAME, T)                                                                                       \
  VECTORISED static void sum_##NAME (const source *s, double *to)                                                      \
  {                                                                                                                    \
    double lanes[REGION_LANES] = {0};                                                                                  \
    FOR_EACH_RUN (T, s)                                                                                                \
    SUM_RUN (r, 1, lanes + (r - s->runs) % REGION_LANES, SUM_TERMS)                                                    \
    to[0] = join_halves (lanes, REGION_LANES);                                                                         \
  }
DEFINE_REAL_SUM (f32, float)
DEFINE_REAL_SUM (f64, double)

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

/* Widens the range of the first piece by all others, or adds integers. */
static void
join_in_any_order (double *to, const double *end, int width, bool range)
{
  for (const double *more = to + width; more < end; more += width)
    if (range) {
      to[0] = more[0] < to[0] || isnan (more[0]) ? more[0] : to[0];
      to[1] = more[1] > to[1] || isnan (more[1]) ? more[1] : to[1];
    } else {
      int64_t sum, part;
      memcpy (&sum, to, sizeof sum);
      memcpy (&part, more, sizeof part);
      sum += part;
      memcpy (to, &sum, sizeof sum);
    }
}

/* Leaves the sums of each region in those of its first piece. */
static void
add_pieces (const pieces *p, region_sum what, bool integers, int width, double *sums)
{
  const bool whole = what == REGION_SUM && integers;
#pragma omp parallel for schedule(static, 64)
  for (int64_t i = 0; i < p->regions->n; i++) {
    const int64_t n = p->first[i + 1] - p->first[i], used = n < REGION_LANES ? n : REGION_LANES;
    double *to = sums + p->first[i] * width;
    if (whole || what == REGION_RANGE)
      join_in_any_order (to, to + n * width, width, what == REGION_RANGE);
    else {
      for (int64_t b = REGION_LANES; b < n; b++)
        for (int k = 0; k < width; k++)
          to[b % REGION_LANES * width + k] += to[b * width + k];
      region_join_lanes (to, used, width);
    }
    if (whole) {
      int64_t sum;
      memcpy (&sum, to, sizeof sum);
      *to = (double) sum;
    }
  }
}

fv_status
region_sums (const fv_call *call, const pieces *p, region_sum what, int width, const fv_array *image,
             int64_t first_plane, const double *centers, double *sums, fv_error *error)
{
  const int64_t share = p->n / 256, chunk = share < 1 ? 1 : share < 32 ? share : 32;
  progress done = {call, .total = p->n};
#pragma omp parallel for schedule(dynamic, 1)
  for (int64_t start = 0; start < p->n; start += chunk) {
    int64_t end = start + chunk < p->n ? start + chunk : p->n;
    if (progress_stopped (&done))
      continue;
    for (int64_t i = start; i < end; i++) {
      const run_piece *q = p->items + i;
      const region *o = p->regions->items + q->region;
      source s = {.image = image,
                  .first_plane = first_plane,
                  .region = o,
                  .runs = o->runs + q->first,
                  .end = o->runs + q->first + q->n,
                  .center = centers ? centers + q->region * (what == REGION_MOMENTS ? 3 : 1) : NULL,
                  .volume = width == VOLUME_MOMENTS};
      sum_piece (&s, what, sums + i * width);
    }
    progress_step (&done, end - start);
  }
  if (done.stop)
    return cancelled (error);
  add_pieces (p, what, !(image->grid->type & FV_FLOATS), width, sums);
  return FV_OK;
}
