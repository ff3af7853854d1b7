/* SPDX-License-Identifier: MIT
 *
 * Counts, boxes, ellipses and moments of objects on the GPU. Sums that decide about zeros are exact integers, as on
 * the CPU.
 *
 * - measure_box: a sum over runs (region_sums.cuh); 20 bytes read a run, 72 written an object.
 * - add_exact: a sum over runs; 20 bytes read a run, 144 written an object.
 * - put_shapes: a thread an object; the formulas, and the columns of the table.
 * - add_run_moments: a sum over runs; 20 bytes read a run, the columns written.
 * No synchronization but within teams.
 */
#include "kernels/regions/region_measure.cuh"
#include "kernels/regions/region_sums.cuh"

struct measure_box {
  region_set s;

  struct sum {
    int64_t pixels;
    int32_t low[3], high[3];
  };

  __device__ static sum none ()
  {
    const int32_t most = INT32_MAX;
    return {0, {most, most, most}, {0, 0, 0}};
  }

  __device__ int begin (int64_t) const
  {
    return 0;
  }

  __device__ void add (sum *b, int, int64_t k) const
  {
    run r = s.runs[k];
    join (b, {r.x1 - r.x0, {r.z, r.y, r.x0}, {r.z + 1, r.y + 1, r.x1}});
  }

  __device__ static void join (sum *b, const sum &other)
  {
    b->pixels += other.pixels;
    for (int a = 0; a < 3; a++)
      b->low[a] = min (b->low[a], other.low[a]), b->high[a] = max (b->high[a], other.high[a]);
  }

  __device__ void finish (int64_t i, int, const sum &b) const
  {
    region o = {};
    o.first_run = s.first[i], o.n_runs = region_end (s, i) - o.first_run;
    o.runs = s.runs + o.first_run, o.pixels = b.pixels, o.label = o.runs->label;
    for (int a = 0; a < 3; a++)
      o.low[a] = b.low[a], o.high[a] = b.high[a];
    s.items[i] = o;
  }
};

struct box_corner {
  int32_t low[3];
};

struct add_exact {
  region_set s;
  region_sums_exact *sums;

  using sum = region_sums_exact;

  __device__ static sum none ()
  {
    return {{0}, {0}};
  }

  __device__ box_corner begin (int64_t i) const
  {
    const region *o = s.items + i;
    return {{o->low[0], o->low[1], o->low[2]}};
  }

  __device__ void add (sum *e, const box_corner &corner, int64_t k) const
  {
    run r = s.runs[k];
    exact_add_run (e, &r, corner.low);
  }

  __device__ static void join (sum *e, const sum &other)
  {
    for (int k = 0; k < 3; k++)
      e->first[k] += other.first[k];
    for (int k = 0; k < 6; k++)
      e->second[k] += other.second[k];
  }

  __device__ void finish (int64_t i, const box_corner &, const sum &e) const
  {
    sums[i] = e;
  }
};

/* sums: NULL when only boxes and counts are asked. */
__global__ static void
__launch_bounds__ (TEAM_BLOCK) put_shapes (region_set s, region_table t, const region_sums_exact *sums)
{
  int64_t i = (int64_t) blockIdx.x * TEAM_BLOCK + threadIdx.x;
  if (i >= s.n)
    return;
  const region *o = s.items + i;
  put_box (&t, o, i);
  if (sums) {
    region_spread spread;
    spread_from_exact (&spread, sums + i, o->pixels);
    put_spread (&t, o, &spread, i);
  }
}

/* Where moments are taken about. */
struct moments_center {
  int32_t low[3];
  double center[3];
};

template <bool VOLUME> struct add_run_moments {
  region_set s;
  region_table t;
  const region_sums_exact *sums; /* for moments about the centroid; NULL: about the corner */

  enum { N = VOLUME ? VOLUME_MOMENTS : PLANE_MOMENTS };
  struct sum {
    double m[N];
  };

  __device__ static sum none ()
  {
    return {{0}};
  }

  __device__ moments_center begin (int64_t i) const
  {
    moments_center c = {{0}, {0}};
    for (int a = 0; a < 3; a++)
      c.low[a] = s.items[i].low[a];
    if (sums) {
      region_spread spread;
      spread_from_exact (&spread, sums + i, s.items[i].pixels);
      for (int a = 0; a < 3; a++)
        c.center[a] = spread.center[a];
    }
    return c;
  }

  __device__ void add (sum *m, const moments_center &c, int64_t k) const
  {
    run r = s.runs[k];
    moments_add_run (m->m, VOLUME, &r, c.low, c.center);
  }

  __device__ static void join (sum *m, const sum &other)
  {
    for (int k = 0; k < N; k++)
      m->m[k] += other.m[k];
  }

  __device__ void finish (int64_t i, const moments_center &, sum m) const
  {
    if (sums)
      put_central_moments (&t, m.m, i);
    else
      put_moments (&t, m.m, i);
  }
};

fv_status
region_measure_shapes (region_measure *m, fv_error *error)
{
  region_sums_exact *sums = nullptr;
  region_set *s = &m->s;
  const fv_call *call = m->call;
  fv_status status = cuda_scratch (call, s->n, &s->items, error);
  if (!status && m->need.spread)
    status = cuda_scratch (call, s->n, &sums, error);
  if (!status)
    status = for_each_sum (call, s, measure_box{*s}, error);
  if (!status && sums)
    status = for_each_sum (call, s, add_exact{*s, sums}, error);
  if (status)
    return status;
  put_shapes<<<(unsigned) blocks_for (s->n, TEAM_BLOCK), TEAM_BLOCK, 0, cuda_stream (call)>>> (*s, m->t, sums);
  status = cuda_status (cudaGetLastError (), "Measuring shapes", error);
  for (int central = 0; central < 2 && !status; central++) {
    const region_sums_exact *about = central ? sums : nullptr;
    if (!(central ? m->need.central : m->need.moments))
      continue;
    status = m->t.volume ? for_each_sum (call, s, add_run_moments<true>{*s, m->t, about}, error)
                         : for_each_sum (call, s, add_run_moments<false>{*s, m->t, about}, error);
  }
  return status;
}
