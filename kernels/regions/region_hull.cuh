/* SPDX-License-Identifier: MIT
 *
 * How a team of threads makes the hull of an object in a plane.
 */
#ifndef KERNELS_REGIONS_REGION_HULL_CUH
#define KERNELS_REGIONS_REGION_HULL_CUH

#include "kernels/regions/region_hull.h"
#include "kernels/regions/region_team.cuh"

typedef struct chain_memory {
  hull_point *left, *right; /* 3 * n_runs; an object's begin at 3 * first_run */
} chain_memory;

/* The chains that a team makes: a thread's is at `start` of its half's memory. */
struct chain_maker {
  hull_point *chain; /* of this thread's half */
  int64_t start, n;
  int side; /* -1 left, 1 right */

  template <typename TEAM>
  __device__ chain_maker (TEAM &t, hull_point *left, hull_point *right)
      : chain (t.rank < TEAM::size / 2 ? left : right), start (0), n (0), side (t.rank < TEAM::size / 2 ? -1 : 1)
  {
  }
};

/* A thread's share of `all` rows or runs: at least 8. */
template <typename TEAM>
__device__ static inline int64_t
share_of (int64_t all)
{
  int64_t share = (all + TEAM::size / 2 - 1) / (TEAM::size / 2);
  return share < 8 ? 8 : share;
}

/* Joins the threads' chains two by two; all members get the hull. */
template <typename TEAM>
__device__ static inline hull
join_chains (TEAM &t, chain_maker c, int64_t parts, hull_point *left, hull_point *right)
{
  const int half = TEAM::size / 2, part = t.rank % half, base = t.rank - part;
  hull h;
  for (int step = 1; step < parts; step *= 2) {
    int next = part + step < half ? part + step : part;
    t.sync ();
    int64_t k = t.of (c.start, base + next), end = k + t.of (c.n, base + next);
    if (part % (2 * step) == 0 && part + step < parts)
      for (; k < end; k++) {
        hull_point p = c.chain[k];
        chain_add (c.chain + c.start, &c.n, p.y, p.x, c.side);
      }
  }
  t.sync ();
  h.left = left, h.right = right;
  h.n_left = t.of (c.n, 0), h.n_right = t.of (c.n, half);
  return h;
}

/* One past the last of the runs from i on that are in its row: looked for in steps that double, then by halves. */
__device__ static inline int64_t
row_end (const region &o, int64_t i)
{
  int32_t y = o.runs[i].y;
  int64_t step = 1, low = i;
  while (i + step < o.n_runs && o.runs[i + step].y == y)
    low = i + step, step *= 2;
  int64_t high = i + step < o.n_runs ? i + step : o.n_runs;
  while (high - low > 1) {
    int64_t middle = (low + high) / 2;
    if (o.runs[middle].y == y)
      low = middle;
    else
      high = middle;
  }
  return high;
}

/* Hull of an object's runs. Rows are not cut: a part begins and ends with a row. */
template <hull_pixel PIXEL, typename TEAM>
__device__ static inline hull
build_hull (TEAM &t, const region &o, const chain_memory &memory)
{
  const int half = TEAM::size / 2, part = t.rank % half;
  int64_t share = share_of<TEAM> (o.n_runs), parts = (o.n_runs + share - 1) / share;
  int64_t start = part * share, end = start + share;
  hull_point *left = memory.left + 3 * o.first_run, *right = memory.right + 3 * o.first_run;
  chain_maker c (t, left, right);
  start = start < o.n_runs ? start : o.n_runs, end = end < o.n_runs ? end : o.n_runs;
  if (start > 0 && start < end && o.runs[start].y == o.runs[start - 1].y)
    start = row_end (o, start);
  c.start = 3 * start;
  for (int64_t i = start; i < end;) {
    run r = o.runs[i];
    i = row_end (o, i);
    int64_t x = 2 * (int64_t) ((c.side < 0 ? r.x0 : o.runs[i - 1].x1 - 1) - o.low[2]);
    chain_add_row (c.chain + c.start, &c.n, 2 * (int64_t) (r.y - o.low[1]), x, c.side, PIXEL);
  }
  return join_chains (t, c, parts, left, right);
}

/* The last point of a chain at or above level y. */
__device__ static inline int64_t
chain_find (const hull_point *chain, int64_t n, int64_t y)
{
  int64_t low = 0, high = n; /* chain[low].y <= y */
  while (high - low > 1) {
    int64_t middle = (low + high) / 2;
    if (chain[middle].y <= y)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Ends of the rows of a hull, one row after the other. */
struct hull_rows {
  int64_t at_left, at_right;

  __device__ hull_rows (const hull &h, int64_t y)
      : at_left (chain_find (h.left, h.n_left, 2 * y)), at_right (chain_find (h.right, h.n_right, 2 * y))
  {
  }

  __device__ void ends (const hull &h, int64_t y, int64_t *x0, int64_t *x1)
  {
    *x0 = -chain_floor (h.left, h.n_left, &at_left, 2 * y, -1);
    *x1 = chain_floor (h.right, h.n_right, &at_right, 2 * y, 1) + 1;
  }
};

#endif
