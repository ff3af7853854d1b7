/* SPDX-License-Identifier: MIT
 *
 * Heat in objects on the CPU. An object whose box is small is done by one thread in memory of its own, where all cells around the object are 0. The
 * others follow, one at a time, their rows on all threads.
 */
#include "kernels/network/flows_heat.h"

enum {
  AREA = 1 << 16, /* of a small box with a border of one cell */
  ARRAYS = 3,     /* two of heat, and the factors of the cells */
  BETWEEN = 64    /* rounds between two questions whether to stop */
};

size_t
flows_heat_room (void)
{
  return (size_t) threads_at_most () * ARRAYS * AREA * sizeof (double);
}

static int64_t
height_of (const flows_object *o)
{
  return o->bottom - o->top + 3;
}

static int64_t
width_of (const flows_object *o)
{
  return o->right - o->left + 3;
}

static bool
is_small (const flows_object *o)
{
  return height_of (o) * width_of (o) <= AREA;
}

/* ---- Small objects ---- */

/* n cells; the factor is 1/9 in the object, else 0. */
VECTORISED static void
spread_cells (const double *restrict from, const double *restrict factor, int64_t width, int64_t n, double *restrict to)
{
#define AT(DY, DX) from[i + (DY) *width + (DX)]
  for (int64_t i = 0; i < n; i++)
    to[i] = factor[i] * FLOWS_SUM (AT);
#undef AT
}

/* Cell of the box where pixel i of the plane is. */
static int64_t
cell_of (const flows_job *j, const flows_object *o, int64_t i)
{
  return (i / j->columns - o->top + 1) * width_of (o) + i % j->columns - o->left + 1;
}

static void
take_factors (const flows_job *j, const flows_object *o, int32_t label, double *factor)
{
  for (int64_t y = o->top; y <= o->bottom; y++)
    for (int64_t x = o->left; x <= o->right; x++)
      if (j->end[y * j->columns + x] == label)
        factor[cell_of (j, o, y * j->columns + x)] = 1 / 9.0;
}

static void
give_heat (const flows_job *j, const flows_object *o, const double *cells, const double *factor)
{
  for (int64_t y = o->top; y <= o->bottom; y++)
    for (int64_t x = o->left; x <= o->right; x++) {
      const int64_t i = y * j->columns + x, cell = cell_of (j, o, i);
      if (factor[cell] != 0)
        j->heat[0][i] = cells[cell];
    }
}

/* All small objects. */
typedef struct small_run {
  const flows_job *job;
  const flows_object *objects;
  int64_t n;
  const flows_share *share;
  progress progress;
} small_run;

static void
heat_small (small_run *r, int64_t number)
{
  const flows_object *o = &r->objects[number];
  double *room = (double *) r->job->room + thread_index () * ARRAYS * AREA;
  const int64_t width = width_of (o), area = height_of (o) * width, center = cell_of (r->job, o, o->center);
  double *from = room, *to = room + area, *factor = room + 2 * area;
  memset (room, 0, (size_t) (ARRAYS * area) * sizeof *room);
  take_factors (r->job, o, (int32_t) (number + 1), factor);
  for (int32_t i = 0; i < o->rounds && !progress_stopped (&r->progress); i++) {
    double *const next = to;
    from[center] += 1;
    spread_cells (from + width + 1, factor + width + 1, width, area - 2 * width - 2, to + width + 1);
    to = from;
    from = next;
    if (i % BETWEEN == BETWEEN - 1)
      flows_step (&r->progress, r->share, 0, r->n);
  }
  give_heat (r->job, o, from, factor);
}

static fv_status
heat_all_small (const fv_call *call, const flows_job *job, const flows_object *objects, int64_t n,
                const flows_share *share, fv_error *error)
{
  small_run r = {job, objects, n, share, {.call = call}};
#pragma omp parallel for schedule(dynamic, 1)
  for (int64_t i = 0; i < n; i++) {
    if (progress_stopped (&r.progress))
      continue;
    if (objects[i].label && is_small (&objects[i]))
      heat_small (&r, i);
    flows_step (&r.progress, share, 1, n);
  }
  return r.progress.stop ? cancelled (error) : FV_OK;
}

/* ---- Large objects ---- */

/* n pixels that have neighbors on all sides. Other objects keep their heat. */
VECTORISED static void
spread_row (const int32_t *restrict labels, int32_t label, const double *restrict from, int64_t columns, int64_t n,
            double *restrict to)
{
#define AT(DY, DX) (labels[i + (DY) *columns + (DX)] == label ? from[i + (DY) *columns + (DX)] : 0)
  for (int64_t i = 0; i < n; i++)
    to[i] = labels[i] == label ? 1 / 9.0 * FLOWS_SUM (AT) : to[i];
#undef AT
}

static void
spread_edge (const flows_job *j, int32_t label, const double *from, int64_t first, int64_t end, double *to)
{
  for (int64_t i = first; i < end; i++)
    if (j->end[i] == label)
      to[i] = flows_spread (j, from, i);
}

static void
heat_row (const flows_job *j, const flows_object *o, int32_t label, const double *from, int64_t y, double *to)
{
  const int64_t row = y * j->columns, first = row + o->left, end = row + o->right + 1;
  const bool inside = y > 0 && y + 1 < j->rows;
  const int64_t left = !inside ? end : first + (o->left == 0), right = end - (o->right + 1 == j->columns);
  spread_edge (j, label, from, first, left, to);
  if (left < right)
    spread_row (j->end + left, label, from + left, j->columns, right - left, to + left);
  spread_edge (j, label, from, left > right ? left : right, end, to);
}

static fv_status
heat_large (const fv_call *call, const flows_job *j, const flows_object *o, int32_t label, const flows_share *share,
            fv_error *error)
{
  progress p = {.call = call};
  for (int32_t i = 0; i < o->rounds && !p.stop; i++) {
    double *from = j->heat[i & 1], *to = j->heat[!(i & 1)];
    from[o->center] += 1;
#pragma omp parallel for schedule(static)
    for (int64_t y = o->top; y <= o->bottom; y++)
      heat_row (j, o, label, from, y, to);
    p.stop = flows_tick (call, share, i, o->rounds);
  }
  return p.stop ? cancelled (error) : FV_OK;
}

fv_status
flows_heat_cpu (const fv_call *call, const flows_job *job, const flows_object *objects, int64_t n,
                const flows_share *share, fv_error *error)
{
  const flows_share rest = {share->done + share->share, 0, share->total};
  fv_status status = heat_all_small (call, job, objects, n, share, error);
  for (int64_t i = 0; !status && i < n; i++)
    if (objects[i].label && !is_small (&objects[i]))
      status = heat_large (call, job, &objects[i], (int32_t) (i + 1), &rest, error);
  return status;
}
