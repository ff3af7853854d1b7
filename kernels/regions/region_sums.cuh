/* SPDX-License-Identifier: MIT
 *
 * Sums over the runs of each object. An object of many runs is cut into parts, one for a block, so that one object that
 * fills the image is measured by the whole device; how many depends on the number of such objects alone.
 *
 * What to sum is a BODY of these:
 *   typename sum                 the sum; its size is a multiple of 4
 *   begin (i)                    what adding needs to know of object i
 *   none ()                      the sum of no runs
 *   add (&sum, about, k)         adds run k; about is from begin()
 *   join (&sum, other)           adds another sum
 *   finish (i, about, sum)       one thread leaves the result
 *
 *   sum_small     4 or 16 lanes an object of few runs.
 *   sum_parts     a block a part of a large object; sum_large: a warp a large object adds its parts.
 */
#ifndef KERNELS_REGIONS_REGION_SUMS_CUH
#define KERNELS_REGIONS_REGION_SUMS_CUH

#include "kernels/regions/region_team.cuh"

enum { SUM_BLOCKS = 1024, SUM_PARTS = 256 /* at most, of one object */ };

template <typename BODY> struct joins {
  using sum = typename BODY::sum;

  __device__ sum operator() (sum a, const sum &b) const
  {
    BODY::join (&a, b);
    return a;
  }
};

/* The sum over runs k ... end - 1; all members get it. */
template <typename TEAM, typename BODY, typename ABOUT>
__device__ inline typename BODY::sum
sum_runs (TEAM &t, const BODY &body, const ABOUT &about, int64_t k, int64_t end)
{
  typename BODY::sum sum = BODY::none ();
#pragma unroll 2
  for (k += t.rank; k < end; k += TEAM::size)
    body.add (&sum, about, k);
  return t.reduce (sum, joins<BODY> ());
}

template <int G, typename BODY>
__global__ void
__launch_bounds__ (TEAM_BLOCK) sum_small (region_set s, BODY body)
{
  int64_t slot = ((int64_t) blockIdx.x * TEAM_BLOCK + threadIdx.x) / G, slots = (int64_t) gridDim.x * (TEAM_BLOCK / G);
  warp_team<G> t;
  for (int64_t i = slot; i < s.n; i += slots) {
    if (region_is_large (s, i))
      continue;
    auto about = body.begin (i);
    auto sum = sum_runs (t, body, about, (int64_t) s.first[i], region_end (s, i));
    if (t.rank == 0)
      body.finish (i, about, sum);
  }
}

/* sums: parts of each large object. */
template <typename BODY>
__global__ void
__launch_bounds__ (TEAM_BLOCK) sum_parts (region_set s, BODY body, int parts, typename BODY::sum *sums)
{
  __shared__ __align__ (16) char room[TEAM_BLOCK * block_team::ROOM];
  block_team t (room);
  for (int64_t at = blockIdx.x; at < s.n_large * parts; at += gridDim.x) {
    int64_t i = s.large[at / parts], part = at % parts, first = s.first[i], end = region_end (s, i);
    int64_t share = (end - first + parts - 1) / parts, from = first + part * share, to = from + share;
    auto sum = sum_runs (t, body, body.begin (i), from, to < end ? to : end);
    if (t.rank == 0)
      sums[at] = sum;
  }
}

template <typename BODY>
__global__ void
__launch_bounds__ (TEAM_BLOCK) sum_large (region_set s, BODY body, int parts, const typename BODY::sum *sums)
{
  warp_team<32> t;
  int64_t slot = ((int64_t) blockIdx.x * TEAM_BLOCK + threadIdx.x) / 32;
  if (slot >= s.n_large)
    return;
  auto sum = BODY::none ();
  for (int k = t.rank; k < parts; k += 32)
    BODY::join (&sum, sums[slot * parts + k]);
  sum = t.reduce (sum, joins<BODY> ());
  if (t.rank == 0)
    body.finish (s.large[slot], body.begin (s.large[slot]), sum);
}

template <typename BODY>
static inline fv_status
for_each_sum (const fv_call *call, const region_set *s, const BODY &body, fv_error *error)
{
  static_assert (sizeof (typename BODY::sum) % 4 == 0, "shuffled in words");
  cudaStream_t stream = cuda_stream (call);
  if (regions_are_small (s))
    sum_small<4><<<team_blocks (s->n, 4), TEAM_BLOCK, 0, stream>>> (*s, body);
  else
    sum_small<16><<<team_blocks (s->n, 16), TEAM_BLOCK, 0, stream>>> (*s, body);
  if (s->n_large > 0) {
    int64_t share = SUM_BLOCKS / s->n_large, most = SUM_PARTS;
    int parts = (int) (share < 1 ? 1 : share < most ? share : most);
    int64_t all = s->n_large * parts;
    typename BODY::sum *sums;
    fv_status status = cuda_scratch (call, (size_t) all, &sums, error);
    if (status)
      return status;
    sum_parts<<<(unsigned) (all < 65535 ? all : 65535), TEAM_BLOCK, 0, stream>>> (*s, body, parts, sums);
    sum_large<<<(unsigned) blocks_for (s->n_large * 32, TEAM_BLOCK), TEAM_BLOCK, 0, stream>>> (*s, body, parts, sums);
  }
  return cuda_status (cudaGetLastError (), "Measuring objects", error);
}

#endif
