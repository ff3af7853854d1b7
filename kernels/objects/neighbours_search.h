/* SPDX-License-Identifier: MIT
 *
 * What surrounds an object, by edges, on the CPU and on the GPU. Each of its runs searches the rows around it, its own first, no farther than an
 * object can be that counts. A run does not look beyond the next row when its object has all of its columns there, too. Who includes this says how
 * objects are met for the first time.
 */
#ifndef KERNELS_OBJECTS_NEIGHBOURS_SEARCH_H
#define KERNELS_OBJECTS_NEIGHBOURS_SEARCH_H

#include "kernels/objects/neighbours_args.h"
#include "kernels/objects/object_rows.h"

#ifdef __CUDACC__
#define SEARCH static inline __device__
#else
#define SEARCH static inline
#endif

typedef struct edge_space {
  object_rows rows;
  double step[3], limit; /* limit: squared */
  bool volume;
} edge_space;

/* What one object looks for. */
typedef struct edge_search {
  const edge_space *space;
  int32_t object;
  neighbor_counts found;
  struct edge_meetings *met;
} edge_search;

/* Whether that object is met for the first time, as one that touches or as one that is near. */
SEARCH bool edge_first_met (edge_search *s, int32_t object, bool touches);

SEARCH double
edge_square (double v)
{
  return v * v;
}

/* Objects of a group are in the order of their labels. */
SEARCH void
take_nearer (nearest_object *best, double squared, int32_t object)
{
  if (squared < best->squared || (squared == best->squared && object < best->object)) {
    best->squared = squared;
    best->object = object;
  }
}

/* How far, squared, it has to look. */
SEARCH double
edge_reach (const edge_search *s)
{
  return s->found.nearest.squared > s->space->limit ? s->found.nearest.squared : s->space->limit;
}

/* A piece of a row, so many pixels away along x; false: nothing farther in its row can count. */
SEARCH bool
edge_meet (edge_search *s, const row_piece *piece, int64_t gap, double aside, bool adjacent)
{
  const double squared = aside + edge_square ((double) gap * s->space->step[2]);
  const bool touches = adjacent && gap <= 1, near = touches || squared <= s->space->limit;
  if (!touches && squared > edge_reach (s))
    return false;
  if (piece->object == s->object)
    return true;
  s->found.touching += touches && edge_first_met (s, piece->object, true);
  s->found.near += near && edge_first_met (s, piece->object, false);
  take_nearer (&s->found.nearest, squared, piece->object);
  return true;
}

/* aside: squared distance of the rows. */
SEARCH void
edge_look_along (edge_search *s, const run *r, int64_t row, double aside, bool adjacent)
{
  const object_rows *rows = &s->space->rows;
  const int64_t from = object_rows_from (rows, row, r->x0);
  for (int64_t i = from; i < rows->first[row + 1]; i++) {
    const int64_t gap = rows->pieces[i].x0 - (r->x1 - 1);
    if (!edge_meet (s, &rows->pieces[i], gap > 0 ? gap : 0, aside, adjacent))
      break;
  }
  for (int64_t i = from - 1; i >= rows->first[row]; i--)
    if (!edge_meet (s, &rows->pieces[i], r->x0 - (rows->pieces[i].x1 - 1), aside, adjacent))
      break;
}

/* The rows of plane z, from y outwards; up, down: whether those before and after it are looked at. */
SEARCH void
edge_look_around (edge_search *s, const run *r, int64_t z, bool up, bool down)
{
  const object_rows *rows = &s->space->rows;
  const int64_t far = z > r->z ? z - r->z : r->z - z;
  const double aside = edge_square ((double) far * s->space->step[0]);
  for (int64_t k = 0; (up && k <= r->y) || (down && k < rows->rows - r->y) || k == 0; k++) {
    const double squared = aside + edge_square ((double) k * s->space->step[1]);
    const bool adjacent = far <= 1 && k <= 1;
    if (!adjacent && squared > edge_reach (s))
      return;
    for (int64_t y = r->y - k; y <= r->y + k; y += 2 * k + !k)
      if (y == r->y || (y < r->y ? up && y >= 0 : down && y < rows->rows))
        edge_look_along (s, r, object_row (rows, z, y), squared, adjacent);
  }
}

/* Whether a run of the same object is in the next row on that side, and has all of the columns. */
SEARCH bool
edge_is_covered (const run *r, const run *by, int side)
{
  return by->z == r->z && by->y == r->y + side && by->x0 <= r->x0 && by->x1 >= r->x1;
}

/* Run k of n of the object. */
SEARCH void
edge_look_everywhere (edge_search *s, const run *runs, int64_t k, int64_t n)
{
  const run *r = &runs[k];
  const bool up = !(k > 0 && edge_is_covered (r, r - 1, -1)), down = !(k + 1 < n && edge_is_covered (r, r + 1, 1));
  const object_rows *rows = &s->space->rows;
  for (int64_t d = 0; d == 0 || (s->space->volume && (d <= r->z || d < rows->planes - r->z)); d++) {
    if (d > 1 && edge_square ((double) d * s->space->step[0]) > edge_reach (s))
      return;
    for (int64_t z = r->z - d; z <= r->z + d; z += 2 * d + !d)
      if (z >= 0 && z < rows->planes)
        edge_look_around (s, r, z, up, down);
  }
}

/* Adds a run to the sums of coordinates, which are exact. */
SEARCH void
centroid_add (const run *r, double sum[3])
{
  const double n = r->x1 - r->x0;
  sum[0] += n * r->z;
  sum[1] += n * r->y;
  sum[2] += n * (r->x0 + r->x1 - 1) / 2;
}

#endif
