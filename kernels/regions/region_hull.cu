/* SPDX-License-Identifier: MIT
 *
 * Convex hulls of all objects of the planes in one launch, exact in integers. Half of a team builds the left chain
 * and half the right one: each thread that of some of the rows, after which they are joined two by two. A chain of a
 * convex polygon on a grid is short, so little is joined even where rows are many.
 *
 * - fill_hulls: a team an object; 20 bytes read and at most 48 written a run, rows counted without pixels.
 * - measure_feret: a team of a limited number; the hull of the filled hull, in a workspace of the team.
 * - measure_imagej: a team an object, as fill_hulls.
 * - tallest: grid-stride over the objects; its number is read back, for feret_diameter_max alone.
 * No synchronization but within teams.
 */
#include "kernels/regions/region_hull.cuh"
#include "kernels/regions/region_measure.cuh"

struct fill_hulls {
  region_set s;
  region_table t;
  chain_memory memory;
  int2 *sizes; /* of the chains, for measure_feret; NULL: not needed */

  template <typename TEAM> __device__ void operator() (TEAM &team, int64_t i, int64_t) const
  {
    region o = s.items[i];
    hull h = build_hull<HULL_DIAMOND> (team, o, memory);
    int64_t rows = o.high[1] - o.low[1], share = (rows + TEAM::size - 1) / TEAM::size, pixels = 0;
    int64_t y = share * team.rank, end = y + share < rows ? y + share : rows;
    if (y < end) {
      hull_rows r (h, y);
      for (; y < end; y++) {
        int64_t x0, x1;
        r.ends (h, y, &x0, &x1);
        pixels += x1 > x0 ? x1 - x0 : 0;
      }
    }
    pixels = team_sum (team, pixels);
    if (team.rank != 0)
      return;
    put_property (&t, P_area_convex, i, 0, (double) pixels * pixel_size (&t));
    put_property (&t, P_solidity, i, 0, (double) o.pixels / (double) pixels);
    if (sizes)
      sizes[i] = make_int2 ((int) h.n_left, (int) h.n_right);
  }
};

/* Largest distance of two corners, and the first pair that has it, as the CPU finds it. */
template <typename TEAM>
__device__ static inline double
team_diameter (TEAM &t, const hull &h, double dy, double dx, hull_point *from, hull_point *to)
{
  int64_t n = hull_points (&h), best_i = INT64_MAX, best_j = 0;
  double most = -1;
  for (int64_t i = t.rank; i < n; i += TEAM::size) {
    hull_point a = hull_at (&h, i);
    for (int64_t j = i + 1; j < n; j++) {
      double d = hull_distance (a, hull_at (&h, j), dy, dx);
      if (d > most)
        most = d, best_i = i, best_j = j;
    }
  }
  double all = team_most (t, most);
  int64_t first = team_least (t, most == all ? best_i : INT64_MAX);
  int64_t second = team_sum (t, most == all && best_i == first ? best_j : 0);
  *from = hull_at (&h, first), *to = hull_at (&h, second);
  return sqrt (all) / 2;
}

struct measure_feret {
  region_set s;
  region_table t;
  chain_memory memory;
  const int2 *sizes;
  hull_point *workspace; /* 2 * room of each team */
  int64_t room;

  template <typename TEAM> __device__ void operator() (TEAM &team, int64_t i, int64_t slot) const
  {
    const int half = TEAM::size / 2, part = team.rank % half;
    region o = s.items[i];
    hull inner;
    inner.left = memory.left + 3 * o.first_run, inner.right = memory.right + 3 * o.first_run;
    inner.n_left = sizes[i].x, inner.n_right = sizes[i].y;
    hull_point *left = workspace + slot * 2 * room, *right = left + room;
    int64_t rows = o.high[1] - o.low[1], share = share_of<TEAM> (rows), parts = (rows + share - 1) / share;
    int64_t y = part * share, end = y + share < rows ? y + share : rows;
    chain_maker c (team, left, right);
    c.start = 3 * y;
    team.sync (); /* the workspace has been read */
    if (y < end) {
      hull_rows r (inner, y);
      for (; y < end; y++) {
        int64_t x0, x1;
        r.ends (inner, y, &x0, &x1);
        if (x1 > x0)
          chain_add_row (c.chain + c.start, &c.n, 2 * y, 2 * (c.side < 0 ? x0 : x1 - 1), c.side, HULL_DIAMOND);
      }
    }
    hull h = join_chains (team, c, parts, left, right);
    hull_point from, to;
    double feret = team_diameter (team, h, t.spacing[1], t.spacing[2], &from, &to);
    if (team.rank == 0)
      put_property (&t, P_feret_diameter_max, i, 0, feret);
  }
};

struct measure_imagej {
  region_set s;
  region_table t;
  chain_memory memory;

  template <typename TEAM> __device__ void operator() (TEAM &team, int64_t i, int64_t) const
  {
    region o = s.items[i];
    double dy = t.spacing[1], dx = t.spacing[2];
    hull h = build_hull<HULL_SQUARE> (team, o, memory);
    if (wants (&t, P_solidity_imagej)) {
      int64_t twice = 0;
      for (int64_t k = team.rank; k < hull_points (&h); k += TEAM::size)
        twice += hull_wedge (&h, k);
      twice = team_sum (team, twice);
      if (team.rank == 0)
        put_property (&t, P_solidity_imagej, i, 0, (double) o.pixels / (fabs ((double) twice) / 8));
    }
    if (wants (&t, P_feret_imagej) || wants (&t, P_feret_angle)) {
      hull_point from, to;
      double feret = team_diameter (team, h, dy, dx, &from, &to);
      if (team.rank == 0) {
        put_property (&t, P_feret_imagej, i, 0, feret);
        put_property (&t, P_feret_angle, i, 0, hull_angle (from, to, dy, dx));
      }
    }
    if (wants (&t, P_feret_min)) {
      double least = INFINITY;
      for (int64_t k = team.rank; k < hull_points (&h); k += TEAM::size)
        least = fmin (least, hull_reach (&h, k, dy, dx));
      least = team_least (team, least);
      if (team.rank == 0)
        put_property (&t, P_feret_min, i, 0, least / 2);
    }
  }
};

__global__ static void
__launch_bounds__ (TEAM_BLOCK) tallest (region_set s, int32_t *rows)
{
  warp_team<32> t;
  int32_t most = 0;
  for (int64_t i = (int64_t) blockIdx.x * TEAM_BLOCK + threadIdx.x; i < s.n; i += (int64_t) gridDim.x * TEAM_BLOCK)
    most = max (most, s.items[i].high[1] - s.items[i].low[1]);
  most = team_most (t, most);
  if (t.rank == 0)
    atomicMax (rows, most);
}

/* Needs the chains of fill_hulls. */
static fv_status
measure_ferets (region_measure *m, const chain_memory &memory, const int2 *sizes, fv_error *error)
{
  const fv_call *call = m->call;
  const int64_t budget = (int64_t) 1 << 28; /* points, all teams together */
  int32_t *device_rows, rows = 0;
  hull_point *workspace;
  fv_status status = cuda_scratch (call, 1, &device_rows, error);
  if (status)
    return status;
  cudaMemsetAsync (device_rows, 0, sizeof rows, cuda_stream (call));
  tallest<<<(unsigned) (m->s.n < 65536 ? blocks_for (m->s.n, TEAM_BLOCK) : 256), TEAM_BLOCK, 0, cuda_stream (call)>>> (
    m->s, device_rows);
  status = cuda_status (cudaGetLastError (), "Measuring hulls", error);
  if (!status)
    status = call->host->read (call, &rows, device_rows, sizeof rows, error);
  if (status)
    return status;
  int64_t room = 3 * (int64_t) rows + 8, each = TEAM_BLOCK / 4; /* teams of a block, at most */
  int64_t slots = blocks_for (budget / (2 * room) < m->s.n ? budget / (2 * room) : m->s.n, each) * each;
  status = cuda_scratch (call, slots * 2 * room, &workspace, error);
  return status
           ? status
           : for_each_object (call, &m->s, slots, measure_feret{m->s, m->t, memory, sizes, workspace, room}, error);
}

fv_status
region_measure_hulls (region_measure *m, fv_error *error)
{
  const fv_call *call = m->call;
  chain_memory memory;
  int2 *sizes = nullptr;
  if (!m->need.convex && !m->need.imagej_hull)
    return FV_OK;
  fv_status status = cuda_scratch (call, 3 * m->s.n_runs, &memory.left, error);
  if (!status)
    status = cuda_scratch (call, 3 * m->s.n_runs, &memory.right, error);
  if (!status && m->need.feret)
    status = cuda_scratch (call, m->s.n, &sizes, error);
  if (!status && m->need.convex)
    status = for_each_object (call, &m->s, INT64_MAX, fill_hulls{m->s, m->t, memory, sizes}, error);
  if (!status && m->need.feret)
    status = measure_ferets (m, memory, sizes, error);
  if (!status && m->need.imagej_hull)
    status = for_each_object (call, &m->s, INT64_MAX, measure_imagej{m->s, m->t, memory}, error);
  return status;
}
