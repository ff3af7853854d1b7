/* SPDX-License-Identifier: MIT
 */
#include "kernels/network/segment_shapes.h"

#include "kernels/common/upload.h"

#include <stdlib.h>
#include <string.h>

/* The surroundings of a star: its distances times this, and so many pixels more. */
#define AROUND 1.5
#define AROUND_MORE 2.0

/* ---- Stars as shapes ---- */

/* Labels follow the centers from the top left to the bottom right. */
static int
by_center (const void *one, const void *other)
{
  const segment_shape *a = *(segment_shape *const *) one, *b = *(segment_shape *const *) other;
  if (a->y != b->y)
    return a->y < b->y ? -1 : 1;
  return (a->x > b->x) - (a->x < b->x);
}

static bool
number_shapes (segment_shape *shapes, int64_t n)
{
  segment_shape **order = malloc ((size_t) (n + 1) * sizeof *order);
  if (!order)
    return false;
  for (int64_t i = 0; i < n; i++)
    order[i] = &shapes[i];
  qsort (order, (size_t) n, sizeof *order, by_center);
  for (int64_t i = 0; i < n; i++)
    order[i]->label = (int32_t) i + 1;
  free (order);
  return true;
}

static void
make_shapes (const star_kept *kept, int64_t n, double scale, const segment_sizes *to, segment_shape *shapes)
{
  for (int64_t i = 0; i < n; i++) {
    const star *s = &kept[i].star;
    shapes[i] = (segment_shape){.seed = star_outline (s, scale, to->seed, 0),
                                .reach = star_outline (s, scale, to->reach, to->more),
                                .y = (int32_t) floor ((s->y + 0.5) / scale),
                                .x = (int32_t) floor ((s->x + 0.5) / scale)};
  }
}

static fv_status
take_memory (segment_shapes *s, const fv_call *call, int64_t n, fv_error *error)
{
  if (n <= s->size)
    return FV_OK;
  s->size = 2 * n;
  const fv_status status =
    call->host->scratch (call, (size_t) s->size * sizeof *s->shapes, (void **) &s->shapes, error);
  return status ? status : call->host->scratch (call, (size_t) s->size * sizeof *s->sums, (void **) &s->sums, error);
}

/* Shapes of n kept stars to the device. */
static fv_status
send_shapes (segment_shapes *s, const fv_call *call, const star_kept *kept, int64_t n, double scale,
             const segment_sizes *to, fv_error *error)
{
  segment_shape *shapes = malloc ((size_t) (n + 1) * sizeof *shapes);
  fv_status status = take_memory (s, call, n, error);
  if (shapes && !status)
    make_shapes (kept, n, scale, to, shapes);
  if (!shapes || (!status && !number_shapes (shapes, n)))
    status = fail (error, FV_NO_MEMORY, "", "Memory is short: %lld outlines do not fit.", (long long) n);
  if (!status && n)
    status = upload_now (call, s->shapes, shapes, (size_t) n * sizeof *shapes, error);
  free (shapes);
  return status;
}

/* ---- Contrasts ---- */

static int
by_size (const void *one, const void *other)
{
  const double a = *(const double *) one, b = *(const double *) other;
  return (a > b) - (a < b);
}

double
segment_median (double *values, int64_t n)
{
  if (n)
    qsort (values, (size_t) n, sizeof *values, by_size);
  return n ? (values[(n - 1) / 2] + values[n / 2]) / 2 : 0;
}

/* Whether the sums tell one. */
static bool
has_contrast (const segment_sums *sums)
{
  return sums->n_inside > 0 && sums->n_around > 0;
}

static double
contrast_of (const segment_sums *sums)
{
  return (double) sums->inside / (double) sums->n_inside - (double) sums->around / (double) sums->n_around;
}

/* The part `least` of the median. contrasts: of room for n. */
static double
least_contrast (const segment_sums *sums, int64_t n, double least, double *contrasts)
{
  int64_t known = 0;
  for (int64_t i = 0; i < n; i++)
    if (has_contrast (&sums[i]))
      contrasts[known++] = contrast_of (&sums[i]);
  return least * segment_median (contrasts, known);
}

static fv_status
sum_shapes (segment_shapes *s, const fv_call *call, const segment_passes *passes, const segment_plane *plane,
            const segment_maps *maps, const star_kept *kept, int64_t n, segment_sums *sums, fv_error *error)
{
  static const segment_sizes to = {1, AROUND, AROUND_MORE};
  const size_t bytes = (size_t) n * sizeof *sums;
  fv_status status = send_shapes (s, call, kept, n, plane->scale, &to, error);
  memset (sums, 0, bytes);
  if (!status)
    status = upload_now (call, s->sums, sums, bytes, error);
  if (!status)
    status = passes->sum (call, plane, s->shapes, n, maps, s->sums, error);
  return status ? status : call->host->read (call, sums, s->sums, bytes, error);
}

fv_status
segment_shapes_keep (segment_shapes *s, const fv_call *call, const segment_passes *passes, const segment_plane *plane,
                     const segment_maps *maps, double least, star_kept *kept, int64_t *n, fv_error *error)
{
  const int64_t all = *n;
  if (all == 0)
    return FV_OK;
  segment_sums *sums = malloc ((size_t) all * sizeof *sums);
  double *contrasts = malloc ((size_t) all * sizeof *contrasts);
  const fv_status status =
    sums && contrasts
      ? sum_shapes (s, call, passes, plane, maps, kept, all, sums, error)
      : fail (error, FV_NO_MEMORY, "", "Memory is short: contrasts of %lld objects do not fit.", (long long) all);
  if (!status) {
    const double from = least_contrast (sums, all, least, contrasts);
    *n = 0;
    for (int64_t i = 0; i < all; i++)
      if (from <= 0 || !has_contrast (&sums[i]) || contrast_of (&sums[i]) >= from)
        kept[(*n)++] = kept[i];
  }
  free (contrasts);
  free (sums);
  return status;
}

fv_status
segment_shapes_paint (segment_shapes *s, const fv_call *call, const segment_passes *passes, double scale,
                      const segment_sizes *to, const segment_maps *maps, const star_kept *kept, int64_t n,
                      fv_error *error)
{
  const fv_status status = send_shapes (s, call, kept, n, scale, to, error);
  return status ? status : passes->paint (call, s->shapes, n, maps, error);
}
