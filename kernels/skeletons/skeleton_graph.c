/* SPDX-License-Identifier: MIT
 *
 * Each run walks along the rows around it.
 */
#include "kernels/skeletons/skeleton_graph.h"

enum { ROWS_AROUND = 9 };

/* A row beside a run, or its own: the first run of it that can have neighbors of the pixels to come. */
typedef struct row_around {
  const run *next, *end;
  int64_t z, y;
  int axes;
} row_around;

/* The first run of a row that does not end before x, or one of a later row. */
static const run *
run_from (const region *o, int64_t z, int64_t y, int64_t x)
{
  int64_t low = 0, high = o->n_runs;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    const run *r = &o->runs[middle];
    if (r->z < z || (r->z == z && (r->y < y || (r->y == y && r->x1 <= x))))
      low = middle + 1;
    else
      high = middle;
  }
  return o->runs + low;
}

static bool
in_row (const row_around *w, const run *r)
{
  return r < w->end && r->y == w->y && r->z == w->z;
}

/* The rows around a run that have pixels near it, in their order. */
static int
rows_around (const region *o, bool volume, const run *r, row_around *to)
{
  const int64_t deep = volume ? 1 : 0;
  int n = 0;
  for (int64_t dz = -deep; dz <= deep; dz++)
    for (int64_t dy = -1; dy <= 1; dy++) {
      const int64_t z = r->z + dz, y = r->y + dy;
      to[n] = (row_around){run_from (o, z, y, r->x0 - 1), o->runs + o->n_runs, z, y, (dz ? 4 : 0) + (dy ? 2 : 0)};
      n += in_row (&to[n], to[n].next);
    }
  return n;
}

/* Pairs of neighboring pixels, one of each run, where the runs are in rows beside each other. */
static int64_t
pairs_of (const run *a, const run *b)
{
  int64_t n = 0;
  for (int32_t d = -1; d <= 1; d++) {
    const int32_t from = a->x0 + d > b->x0 ? a->x0 + d : b->x0, to = a->x1 + d < b->x1 ? a->x1 + d : b->x1;
    n += to > from ? to - from : 0;
  }
  return n;
}

int64_t
graph_steps (const region *o, bool volume)
{
  row_around rows[ROWS_AROUND];
  int64_t n = 0;
  for (const run *r = o->runs; r < o->runs + o->n_runs; r++) {
    n += 2 * (r->x1 - r->x0 - 1);
    const int n_rows = rows_around (o, volume, r, rows);
    for (int i = 0; i < n_rows; i++)
      for (const run *other = rows[i].next; rows[i].axes && in_row (&rows[i], other) && other->x0 <= r->x1; other++)
        n += pairs_of (r, other);
  }
  return n;
}

/* The steps from pixel x of the run whose rows these are; returns the step after them. */
static int64_t
connect_pixel (const region *o, row_around *rows, int n_rows, int32_t x, pixel_graph *g, int64_t step)
{
  for (int i = 0; i < n_rows; i++) {
    row_around *w = &rows[i];
    while (in_row (w, w->next) && w->next->x1 < x)
      w->next++;
    for (const run *r = w->next; in_row (w, r) && r->x0 <= x + 1; r++) {
      const int64_t offset = g->offset[r - o->runs] - r->x0;
      for (int32_t to = r->x0 > x - 1 ? r->x0 : x - 1; to < r->x1 && to <= x + 1; to++) {
        if (!w->axes && to == x)
          continue;
        g->to[step] = (int32_t) (offset + to);
        g->kind[step++] = (uint8_t) (w->axes + (to != x));
      }
    }
  }
  return step;
}

void
graph_make (const region *o, bool volume, pixel_graph *g)
{
  row_around rows[ROWS_AROUND];
  int64_t pixel = 0, step = 0;
  for (int64_t k = 0, n = 0; k < o->n_runs; n += o->runs[k].x1 - o->runs[k].x0, k++)
    g->offset[k] = n;
  for (const run *r = o->runs; r < o->runs + o->n_runs; r++) {
    const int n_rows = rows_around (o, volume, r, rows);
    for (int32_t x = r->x0; x < r->x1; x++) {
      g->first[pixel++] = step;
      step = connect_pixel (o, rows, n_rows, x, g, step);
    }
  }
  g->first[pixel] = step;
  g->n = pixel;
}
