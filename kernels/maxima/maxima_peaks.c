/* SPDX-License-Identifier: MIT
 *
 * maxima, peaks: the CPU version. The operations dilation and erosion find the largest around each pixel, or the least; what equals it is a
 * peak, unless one that stays is before it and too near. Of those, the last one in each column, or of each line of planes, is known.
 */
#include "kernels/maxima/maxima_peaks.h"

#include "kernels/maxima/maxima_extremes.h"
#include "kernels/maxima/maxima_table.h"

/* A plane, or the volume, at work. */
typedef struct ridge {
  const fv_call *call;
  const maxima_args *args;
  const fv_array *in, *extremes;
  int64_t first, planes, rows, columns; /* first: of its planes in the arrays */
  int64_t *last; /* [columns], or of a volume [rows * columns]: row, or plane, of the last peak, from -distance */
  progress *p;
} ridge;

static bool
is_volume (const ridge *r)
{
  return r->args->volume;
}

/* ---- Candidates ---- */

#define DEFINE_ROW(NAME, T)                                                                                            \
  VECTORISED static maxima_span span_##NAME (const void *row, int64_t n)                                               \
  {                                                                                                                    \
    maxima_span s = {INFINITY, -INFINITY};                                                                             \
    for (int64_t x = 0; x < n; x++) {                                                                                  \
      double v = (double) ((const T *) row)[x];                                                                        \
      s.least = v < s.least ? v : s.least;                                                                             \
      s.most = v > s.most ? v : s.most;                                                                                \
    }                                                                                                                  \
    return s;                                                                                                          \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void peaks_##NAME (int32_t *restrict to, const void *row, const void *extremes, double base,       \
                                       int64_t n)                                                                      \
  {                                                                                                                    \
    const T *v = row, *most = extremes;                                                                                \
    for (int64_t x = 0; x < n; x++)                                                                                    \
      to[x] = (v[x] == most[x]) & ((double) v[x] != base);                                                             \
  }
DEFINE_ROW (u8, uint8_t)
DEFINE_ROW (u16, uint16_t)
DEFINE_ROW (i32, int32_t)
DEFINE_ROW (f32, float)
DEFINE_ROW (f64, double)

/* The value that no peak has. */
static double
find_base (const ridge *r)
{
  double least = INFINITY, most = -INFINITY;
#pragma omp parallel for schedule(static, 64) reduction(min : least) reduction(max : most)
  for (int64_t i = 0; i < r->planes * r->rows; i++) {
    const void *row = array_row (r->in, r->first + i / r->rows, i % r->rows);
    maxima_span s = {0, 0};
    WITH_TYPE (r->in->grid->type, s = span, row, r->columns)
    least = s.least < least ? s.least : least;
    most = s.most > most ? s.most : most;
  }
  return r->args->light ? most : least;
}

/* 1 in the output. */
static void
find_candidates (const ridge *r, double base)
{
#pragma omp parallel for schedule(static, 64)
  for (int64_t i = 0; i < r->planes * r->rows; i++) {
    int64_t z = r->first + i / r->rows, y = i % r->rows;
    WITH_TYPE (r->in->grid->type, peaks, array_row (r->call->outputs[0], z, y), array_row (r->in, z, y),
               array_row (r->extremes, z, y), base, r->columns)
    progress_step (r->p, 1);
  }
}

/* ---- Peaks ---- */

static bool
in_margin (int64_t i, int64_t n, int64_t margin)
{
  return i < margin || i >= n - margin;
}

/* Whether the candidate stays, as far as those before it do not matter. */
static bool
is_peak (const ridge *r, int64_t z, int64_t y, int64_t x)
{
  const maxima_args *a = r->args;
  double v = pixel_get (array_row (r->in, r->first + z, y), r->in->grid->type, x);
  if (a->exclude_edges
      && (in_margin (y, r->rows, a->distance) || in_margin (x, r->columns, a->distance)
          || (is_volume (r) && in_margin (z, r->planes, a->distance))))
    return false;
  return maxima_is_high (a, a->light ? -v : v);
}

/* Whether a peak is before it and nearer than the distance. */
static bool
is_taken (const ridge *r, int64_t z, int64_t y, int64_t x)
{
  const int64_t reach = r->args->distance - 1, own = is_volume (r) ? z : y;
  const int64_t rows = is_volume (r) ? reach : 0, row = is_volume (r) ? y : 0, height = is_volume (r) ? r->rows : 1;
  for (int64_t i = row - rows < 0 ? 0 : row - rows; i <= row + rows && i < height; i++)
    for (int64_t k = x - reach < 0 ? 0 : x - reach; k <= x + reach && k < r->columns; k++)
      if (own - r->last[i * r->columns + k] <= reach)
        return true;
  return false;
}

/* From candidates in the output to numbers; returns how many there are. */
static int64_t
number_peaks (const ridge *r)
{
  const int64_t lines = is_volume (r) ? r->rows : 1;
  int64_t n = 0;
  for (int64_t i = 0; i < lines * r->columns; i++)
    r->last[i] = -(int64_t) r->args->distance;
  for (int64_t i = 0; i < r->planes * r->rows && !progress_stopped (r->p); i++) {
    int64_t z = i / r->rows, y = i % r->rows;
    int32_t *row = array_row (r->call->outputs[0], r->first + z, y);
    for (int64_t x = 0; x < r->columns; x++) {
      if (!row[x])
        continue;
      row[x] = is_peak (r, z, y, x) && !is_taken (r, z, y, x) ? (int32_t) ++n : 0;
      if (row[x])
        r->last[(is_volume (r) ? y * r->columns : 0) + x] = is_volume (r) ? z : y;
    }
    progress_step (r->p, 1);
  }
  return n;
}

static fv_status
list_peaks (const ridge *r, int64_t n, fv_error *error)
{
  double *values;
  fv_status status = maxima_new_rows (r->call, n, &values, error);
  for (int64_t i = 0, k = 0; i < r->planes * r->rows && k < n && !status; i++) {
    int64_t z = r->first + i / r->rows, y = i % r->rows;
    const int32_t *row = array_row (r->call->outputs[0], z, y);
    const void *pixels = array_row (r->in, z, y);
    for (int64_t x = 0; x < r->columns; x++)
      if (row[x])
        maxima_put_row (r->call, values, n, k++, (z * r->rows + y) * r->columns + x,
                        pixel_get (pixels, r->in->grid->type, x), row[x]);
  }
  return status;
}

static fv_status
do_group (const ridge *r, double *count, fv_error *error)
{
  find_candidates (r, find_base (r));
  int64_t n = number_peaks (r);
  *count += (double) n;
  return r->p->stop ? cancelled (error) : list_peaks (r, n, error);
}

static int64_t
last_numbers (const maxima_args *a, const int64_t *shape)
{
  return shape[2] * (a->volume ? shape[1] : 1);
}

int64_t
maxima_peaks_bytes (const maxima_args *a, const fv_grid *image)
{
  return maxima_extremes_bytes (a, image) + last_numbers (a, image->shape) * (int64_t) sizeof (int64_t);
}

fv_status
maxima_peaks_cpu (const fv_call *call, double *count, fv_error *error)
{
  const maxima_args *a = call->args;
  const fv_array *in = call->inputs[0];
  const int64_t planes = array_planes (in), rows = array_rows (in);
  progress p = {call, .total = 2 * planes * rows};
  scratch_image extremes;
  ridge r = {.call = call, .args = a, .in = in, .extremes = &extremes.array, .rows = rows, .p = &p};
  fv_status status = maxima_extremes (call, FV_CPU, &extremes, error);
  if (!status)
    status = call->host->scratch (call, (size_t) last_numbers (a, in->tensor.shape) * sizeof *r.last, (void **) &r.last,
                                  error);
  r.columns = array_columns (in);
  r.planes = a->volume ? planes : 1;
  *count = 0;
  for (; r.first < planes && !status; r.first += r.planes)
    status = do_group (&r, count, error);
  return status;
}
