/* SPDX-License-Identifier: MIT
 *
 * maxima by prominence: the CPU version. From the highest pixel without a higher neighbor down, each floods its area, until that turns out
 * to be no maximum because something higher, or the area of another one, is in reach. So each pixel is flooded about once. A height is a
 * value, or its negative; a summit is before another one when it is higher or, of the same height, later in the plane.
 */
#include "kernels/maxima/maxima_prominent.h"

#include "kernels/common/row.h"
#include "kernels/maxima/maxima_table.h"

#include <stdlib.h>

enum { PIXEL_BYTES = 17 }; /* of scratch, beside summits */

enum { LISTED = 1, DONE = 2 }; /* of a pixel: in the current flood, and in one before */

/* A pixel of the plane, and later the number of its area, by which it is sorted; 0: none yet. */
typedef struct summit {
  int64_t at, number;
  double height;
} summit;

/* A plane at work, in scratch. */
typedef struct hills {
  const fv_call *call;
  const maxima_args *args;
  int64_t plane, rows, columns;
  double *height; /* [pixels] */
  int64_t *list;  /* [pixels]: what is flooded, in that order */
  uint8_t *state; /* [pixels] */
  summit *summits;
  int64_t n; /* of them */
  progress *p;
} hills;

static const int around_x[] = MAXIMA_AROUND_X, around_y[] = MAXIMA_AROUND_Y;

static int64_t
most_summits (const int64_t *shape)
{
  return (shape[1] + 1) / 2 * ((shape[2] + 1) / 2); /* no two are neighbors */
}

/* ---- Heights and summits ---- */

VECTORISED static maxima_span
height_row (double *row, bool light, int64_t n)
{
  maxima_span s = {INFINITY, -INFINITY};
  for (int64_t x = 0; x < n; x++) {
    double v = light ? -row[x] : row[x];
    s.least = v < s.least ? v : s.least;
    s.most = v > s.most ? v : s.most;
    row[x] = v == v ? v : -INFINITY;
  }
  return s;
}

static maxima_span
find_heights (const hills *h)
{
  const fv_array *in = h->call->inputs[0];
  double least = INFINITY, most = -INFINITY;
#pragma omp parallel for schedule(static, 64) reduction(min : least) reduction(max : most)
  for (int64_t y = 0; y < h->rows; y++) {
    double *row = h->height + y * h->columns;
    row_to_f64 (row, array_row (in, h->plane, y), in->grid->type, h->columns);
    maxima_span s = height_row (row, h->args->light, h->columns);
    least = s.least < least ? s.least : least;
    most = s.most > most ? s.most : most;
  }
  return (maxima_span){least, most};
}

static bool
at_edge (const hills *h, int64_t y, int64_t x)
{
  return y == 0 || y == h->rows - 1 || x == 0 || x == h->columns - 1;
}

/* Not below an earlier neighbor, and above a later one. */
static bool
is_summit (const hills *h, int64_t y, int64_t x)
{
  const double *v = h->height + y * h->columns + x;
  for (int k = 0; k < 8; k++) {
    int64_t other_y = y + around_y[k], other_x = x + around_x[k], step = around_y[k] * h->columns + around_x[k];
    if (other_y < 0 || other_y >= h->rows || other_x < 0 || other_x >= h->columns)
      continue;
    if (v[step] > *v || (step > 0 && v[step] == *v))
      return false;
  }
  return true;
}

static int
compare_summits (const void *a, const void *b)
{
  const summit *s = a, *t = b;
  return s->height != t->height ? (s->height < t->height) - (s->height > t->height) : (s->at < t->at) - (s->at > t->at);
}

static void
find_summits (hills *h, maxima_span span)
{
  h->n = 0;
#pragma omp parallel for schedule(static, 64)
  for (int64_t y = 0; y < h->rows; y++)
    for (int64_t x = 0; x < h->columns; x++) {
      int64_t at = y * h->columns + x;
      h->state[at] = 0;
      if (!(h->height[at] > span.least) || !is_summit (h, y, x) || !maxima_is_high (h->args, h->height[at])
          || (h->args->exclude_edges && at_edge (h, y, x)))
        continue;
      int64_t i = __atomic_fetch_add (&h->n, 1, __ATOMIC_RELAXED);
      h->summits[i] = (summit){at, 0, h->height[at]};
    }
  qsort (h->summits, (size_t) h->n, sizeof *h->summits, compare_summits);
}

/* ---- Areas ---- */

/* Adds neighbors to what is listed, of which there are *n. False: not a maximum. */
static bool
flood_around (const hills *h, int64_t at, double top, double level, int64_t *n)
{
  int64_t y = at / h->columns, x = at % h->columns;
  for (int k = 0; k < 8; k++) {
    int64_t other_y = y + around_y[k], other_x = x + around_x[k], other = other_y * h->columns + other_x;
    if (other_y < 0 || other_y >= h->rows || other_x < 0 || other_x >= h->columns || h->state[other] == LISTED)
      continue;
    if (h->state[other] == DONE || h->height[other] > top)
      return false;
    if (h->height[other] < level)
      continue;
    h->state[other] = LISTED;
    h->list[(*n)++] = other;
    if (h->args->exclude_edges && at_edge (h, other_y, other_x) && (h->args->strict || h->height[other] == top))
      return false;
  }
  return true;
}

/* Returns the number of pixels in the area of a summit, 0 when it is not a maximum. */
static int64_t
flood (const hills *h, const summit *from)
{
  const double top = from->height, prominence = h->args->prominence;
  const bool in_f32 = maxima_in_f32 (h->call->inputs[0]->grid->type);
  const double level = in_f32 ? (double) ((float) top - (float) prominence) : top - prominence;
  int64_t n = 1;
  bool is_maximum = true;
  h->list[0] = from->at;
  h->state[from->at] = LISTED;
  for (int64_t i = 0; i < n && is_maximum && !progress_stopped (h->p); i++) {
    is_maximum = flood_around (h, h->list[i], top, level, &n);
    if (i % 65536 == 65535)
      progress_step (h->p, 0);
  }
  for (int64_t i = 0; i < n; i++)
    h->state[h->list[i]] = DONE;
  return is_maximum ? n : 0;
}

/* Of the highest of the n pixels that are listed, that which is nearest to their mean position. */
static int64_t
middle_of (const hills *h, double top, int64_t n)
{
  int64_t sum_y = 0, sum_x = 0, count = 0, middle = h->list[0];
  double nearest = INFINITY;
  for (int64_t i = 0; i < n; i++)
    if (h->height[h->list[i]] == top) {
      sum_y += h->list[i] / h->columns;
      sum_x += h->list[i] % h->columns;
      count++;
    }
  for (int64_t i = 0; i < n; i++) {
    double y = (double) sum_y / (double) count - (double) (h->list[i] / h->columns);
    double x = (double) sum_x / (double) count - (double) (h->list[i] % h->columns);
    if (h->height[h->list[i]] == top && x * x + y * y < nearest) {
      nearest = x * x + y * y;
      middle = h->list[i];
    }
  }
  return middle;
}

/* Keeps the maxima among the summits, by number from 1; the output gets the numbers of their areas. */
static void
find_maxima (hills *h)
{
  const fv_array *out = h->call->outputs[0];
  int64_t summits = h->n;
  h->n = 0;
  for (int64_t i = 0; i < summits && !progress_stopped (h->p); i++) {
    const summit from = h->summits[i];
    int64_t n = h->state[from.at] ? 0 : flood (h, &from);
    if (!n)
      continue;
    h->summits[h->n++] = (summit){middle_of (h, from.height, n), 0, from.height};
    for (int64_t k = 0; k < n; k++)
      ((int32_t *) array_row (out, h->plane, h->list[k] / h->columns))[h->list[k] % h->columns] = (int32_t) h->n;
  }
}

/* ---- The output and the table ---- */

static int
compare_numbers (const void *a, const void *b)
{
  const summit *s = a, *t = b;
  return (s->number > t->number) - (s->number < t->number);
}

/* Numbers areas by their first pixels. */
static void
number_areas (const hills *h)
{
  const bool areas = h->args->output == MAXIMA_AREAS;
  int64_t n = 0;
  for (int64_t y = 0; y < h->rows; y++) {
    int32_t *row = array_row (h->call->outputs[0], h->plane, y);
    for (int64_t x = 0; x < h->columns; x++) {
      summit *point = row[x] ? h->summits + row[x] - 1 : NULL;
      if (!point)
        continue;
      if (!point->number)
        point->number = ++n;
      row[x] = areas || point->at == y * h->columns + x ? (int32_t) point->number : 0;
    }
  }
}

static fv_status
list_maxima (const hills *h, fv_error *error)
{
  double *values;
  fv_status status = maxima_new_rows (h->call, h->n, &values, error);
  for (int64_t i = 0; i < h->n && !status; i++) {
    const summit *s = h->summits + i;
    maxima_put_row (h->call, values, h->n, i, h->plane * h->rows * h->columns + s->at,
                    h->args->light ? -s->height : s->height, s->number);
  }
  return status;
}

static fv_status
do_plane (hills *h, fv_error *error)
{
  const maxima_span span = find_heights (h);
  for (int64_t y = 0; y < h->rows; y++)
    memset (array_row (h->call->outputs[0], h->plane, y), 0, (size_t) h->columns * sizeof (int32_t));
  h->n = 0;
  if (maxima_possible (h->args, h->call->inputs[0]->grid->type, span)) {
    find_summits (h, span);
    find_maxima (h);
    number_areas (h);
    qsort (h->summits, (size_t) h->n, sizeof *h->summits, compare_numbers);
  }
  progress_step (h->p, 1);
  return h->p->stop ? cancelled (error) : list_maxima (h, error);
}

int64_t
maxima_prominent_bytes (const fv_grid *image)
{
  return image->shape[1] * image->shape[2] * PIXEL_BYTES + most_summits (image->shape) * (int64_t) sizeof (summit);
}

fv_status
maxima_prominent_cpu (const fv_call *call, double *count, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  const int64_t pixels = array_rows (in) * array_columns (in), planes = array_planes (in);
  progress p = {call, .total = planes};
  hills h = {.call = call, .args = call->args, .rows = array_rows (in), .columns = array_columns (in), .p = &p};
  fv_status status =
    call->host->scratch (call, (size_t) maxima_prominent_bytes (in->grid), (void **) &h.summits, error);
  if (status)
    return status;
  h.height = (double *) (h.summits + most_summits (in->tensor.shape));
  h.list = (int64_t *) (h.height + pixels);
  h.state = (uint8_t *) (h.list + pixels);
  *count = 0;
  for (h.plane = 0; h.plane < planes && !status; h.plane++) {
    status = do_plane (&h, error);
    *count += (double) h.n;
  }
  return status;
}
