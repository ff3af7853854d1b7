/* SPDX-License-Identifier: MIT
 *
 * split, method=imagej, on the CPU: a thread for each plane where what is next depends on what was before.
 */
#include "kernels/split/split_imagej.h"
#include "kernels/common/rows.h"
#include "kernels/split/split_imagej_pixels.h"

/* A plane of an array in scratch. */
static void *
plane_of (const scratch_image *a, int64_t z)
{
  return array_row (&a->array, z, 0);
}

/* ---- Distances ---- */

/* A sweep over a plane. */
typedef struct sweep {
  bool up, left; /* from the last row, from the last column */
  int64_t rows, columns;
  split_site *sites; /* of a row */
} sweep;

static void
sweep_row (const sweep *w, const uint8_t *mask, float *squares, int64_t y)
{
  split_site diagonal = split_no_site (), before = diagonal;
  for (int64_t i = 0; i < w->columns; i++) {
    const int64_t x = w->left ? w->columns - 1 - i : i;
    const split_site above = w->sites[x];
    int64_t square = 0;
    before = mask[x] ? split_nearest (above, diagonal, before, x, y, &square) : (split_site){(int32_t) x, (int32_t) y};
    squares[x] = (float) square < squares[x] ? (float) square : squares[x];
    diagonal = above;
    w->sites[x] = before;
  }
}

static void
sweep_plane (const split_arrays *s, const fv_array *mask, int64_t z, sweep w)
{
  for (int64_t x = 0; x < w.columns; x++)
    w.sites[x] = split_no_site ();
  for (int64_t i = 0; i < w.rows; i++) {
    const int64_t y = w.up ? w.rows - 1 - i : i;
    sweep_row (&w, array_row (mask, z, y), array_row (&s->distance.array, z, y), y);
  }
}

VECTORISED static float
to_distances (float *squares, int64_t n)
{
  float most = 0;
  for (int64_t i = 0; i < n; i++) {
    squares[i] = sqrtf (squares[i]);
    most = squares[i] > most ? squares[i] : most;
  }
  return most;
}

fv_status
split_near_cpu (const fv_call *call, const split_arrays *s, fv_error *error)
{
  const fv_array *mask = call->inputs[SPLIT_MASK];
  const int64_t planes = array_planes (mask), rows = array_rows (mask), columns = array_columns (mask);
  progress p = {call, .total = planes * SPLIT_SWEEPS};
  split_site *sites;
  if (call->host->scratch (call, (size_t) (threads_at_most () * columns) * sizeof *sites, (void **) &sites, error))
    return error->code;
#pragma omp parallel for schedule(dynamic)
  for (int64_t z = 0; z < planes; z++) {
    float *squares = plane_of (&s->distance, z);
    for (int64_t i = 0; i < rows * columns; i++)
      squares[i] = (float) SPLIT_FARTHEST;
    for (int k = 0; k < SPLIT_SWEEPS && !progress_stopped (&p); k++) {
      sweep_plane (s, mask, z, (sweep){k & 2, k & 1, rows, columns, sites + thread_index () * columns});
      progress_step (&p, 1);
    }
    s->most[z] = to_distances (squares, rows * columns);
  }
  return p.stop ? cancelled (error) : FV_OK;
}

/* ---- Heights and steps ---- */

VECTORISED static void
heights_inside (float *restrict level, const float *restrict d, int64_t columns)
{
  for (int64_t x = 1; x < columns - 1; x++)
    level[x] = split_height (d + x, columns);
}

VECTORISED static void
lower_by (float *restrict level, float *restrict peaks, const float *restrict d, float h, int64_t n)
{
  for (int64_t x = 0; x < n; x++) {
    level[x] = d[x] > 0 ? level[x] : (float) NAN;
    peaks[x] = level[x] - h;
  }
}

static void
heights_row (const fv_call *call, const void *arrays, int64_t z, int64_t y)
{
  const split_arrays *s = arrays;
  const float *d = array_row (&s->distance.array, z, y), h = (float) ((const split_args *) call->args)->h;
  float *level = array_row (&s->level.array, z, y);
  const int64_t columns = array_columns (&s->level.array);
  memcpy (level, d, (size_t) columns * sizeof *level);
  if (y > 0 && y < array_rows (&s->level.array) - 1)
    heights_inside (level, d, columns);
  lower_by (level, array_row (&s->peaks.array, z, y), d, h, columns);
}

fv_status
split_heights_cpu (const fv_call *call, const split_arrays *s, fv_error *error)
{
  return rows_of (call, &s->level.array, heights_row, s, error);
}

static void
stairs_row (const fv_call *call, const void *arrays, int64_t z, int64_t y)
{
  const split_arrays *s = arrays;
  uint8_t *restrict stairs = array_row (&s->stairs.array, z, y), *restrict seeds = array_row (&s->seeds.array, z, y);
  const uint8_t *restrict tops = array_row (&s->tops.array, z, y);
  const float *restrict d = array_row (&s->distance.array, z, y), most = s->most[z];
  const int64_t columns = array_columns (&s->level.array);
  (void) call;
  for (int64_t x = 0; x < columns; x++) {
    seeds[x] = tops[x] ? SPLIT_AREA : 0;
    stairs[x] = tops[x] ? SPLIT_AREA : split_step (d[x], most);
  }
}

fv_status
split_stairs_cpu (const fv_call *call, const split_arrays *s, fv_error *error)
{
  return rows_of (call, &s->level.array, stairs_row, s, error);
}

/* ---- Growth ---- */

/* A plane whose areas grow. The pixels of each step lie in the list, from the highest step down; those that wait stand before the next step's. */
typedef struct growth {
  uint8_t *step; /* SPLIT_AREA: taken */
  int64_t *list, rows, columns;
} growth;

static bool
is_inside (const growth *g, int64_t y, int64_t x)
{
  return y >= 0 && y < g->rows && x >= 0 && x < g->columns;
}

/* Bit i: neighbor i is taken. *edge: it is at the edge of the object or of the image. */
static unsigned
look_around (const growth *g, int64_t at, bool *edge)
{
  static const int8_t dx[SPLIT_DIRECTIONS] = SPLIT_AROUND_X, dy[SPLIT_DIRECTIONS] = SPLIT_AROUND_Y;
  const int64_t y = at / g->columns, x = at - y * g->columns;
  unsigned taken = 0;
  *edge = false;
  for (int i = 0; i < SPLIT_DIRECTIONS; i++) {
    const uint8_t step = is_inside (g, y + dy[i], x + dx[i]) ? g->step[at + dy[i] * g->columns + dx[i]] : 0;
    taken |= (unsigned) (step == SPLIT_AREA) << i;
    *edge |= !step;
  }
  return taken;
}

static void
swap (int64_t *a, int64_t *b)
{
  const int64_t kept = *a;
  *a = *b;
  *b = kept;
}

/* What is taken of n pixels in one direction goes to the end of the list; how many are left. All is decided before any is taken. */
static int64_t
grow_once (growth *g, int64_t *list, int64_t n, int direction)
{
  int64_t left = 0, end = n;
  bool edge;
  while (left < end)
    if (split_takes (look_around (g, list[left], &edge), direction))
      swap (&list[left], &list[--end]);
    else
      left++;
  for (int64_t i = left; i < n; i++)
    g->step[list[i]] = SPLIT_AREA;
  return left;
}

/* Until no direction takes any; how many of those that are left wait, which are put to the end. */
static int64_t
grow_step (growth *g, int64_t *list, int64_t n)
{
  static const int8_t turns[SPLIT_DIRECTIONS] = SPLIT_TURNS;
  int64_t left = n, waiting = 0;
  for (int i = 0, idle = 0; left > 0 && idle < SPLIT_DIRECTIONS; i = (i + 1) % SPLIT_DIRECTIONS) {
    const int64_t now = grow_once (g, list, left, turns[i]);
    idle = now < left ? 0 : idle + 1;
    left = now;
  }
  for (int64_t i = left - 1; i >= 0; i--) {
    bool edge;
    look_around (g, list[i], &edge);
    if (edge)
      swap (&list[i], &list[n - ++waiting]);
  }
  return waiting;
}

static void
grow_plane (growth *g, progress *p)
{
  int64_t start[SPLIT_AREA + 1] = {0}, waiting = 0;
  for (int64_t i = 0; i < g->rows * g->columns; i++)
    start[g->step[i]]++;
  for (int64_t step = SPLIT_AREA - 1, n = 0; step > 0; step--) {
    const int64_t here = start[step];
    start[step] = n;
    n += here;
  }
  int64_t next[SPLIT_AREA];
  memcpy (next, start, sizeof next);
  for (int64_t i = 0; i < g->rows * g->columns; i++)
    if (g->step[i] && g->step[i] < SPLIT_AREA)
      g->list[next[g->step[i]]++] = i;
  for (int step = SPLIT_AREA - 1; step > 0 && !progress_stopped (p); step--) {
    if (next[step] > start[step])
      waiting = grow_step (g, g->list + start[step] - waiting, next[step] - start[step] + waiting);
    progress_step (p, 1);
  }
}

fv_status
split_grow_cpu (const fv_call *call, const split_arrays *s, fv_error *error)
{
  const int64_t planes = array_planes (&s->seeds.array), rows = array_rows (&s->seeds.array),
                columns = array_columns (&s->seeds.array);
  progress p = {call, .total = planes * (SPLIT_AREA - 1)};
#pragma omp parallel for schedule(dynamic)
  for (int64_t z = 0; z < planes; z++) {
    growth g = {plane_of (&s->seeds, z), (int64_t *) s->spare + z * rows * columns, rows, columns};
    uint8_t *taken = plane_of (&s->stairs, z);
    grow_plane (&g, &p);
    for (int64_t i = 0; i < rows * columns; i++)
      taken[i] = g.step[i] == SPLIT_AREA ? 255 : 0;
  }
  return p.stop ? cancelled (error) : FV_OK;
}
