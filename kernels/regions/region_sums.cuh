/* SPDX-License-Identifier: MIT
 *
 * Sums over the runs of each object, in the order of regions.h. An object of many runs is cut into blocks of runs, one for a team, so that
 * one object that fills the image is measured by the whole device.
 *
 * What to sum is a BODY of these:
 * - typename sum: the sum; its size is a multiple of 4.
 * - begin (i): what adding needs to know of object i.
 * - none (): the sum of no runs.
 * - add (&sum, about, k): adds run k; about is from begin().
 * - join (&sum, other): adds another sum.
 * - finish (i, about, sum): one thread stores the result.
 *
 *   sum_small     8 lanes an object of few runs.
 *   sum_blocks    8 lanes a block of a large object; sum_large: 8 lanes a large object add its blocks.
 */
#ifndef KERNELS_REGIONS_REGION_SUMS_CUH
#define KERNELS_REGIONS_REGION_SUMS_CUH

#include "kernels/regions/region_team.cuh"

template <typename BODY> struct joins {
  using sum = typename BODY::sum;

  __device__ sum operator() (sum a, const sum &b) const
  {
    BODY::join (&a, b);
    return a;
  }
};

using sum_team = warp_team<REGION_LANES>;

/* The sum of a block, the runs k ... end - 1; all members get it. */
template <typename BODY, typename ABOUT>
__device__ inline typename BODY::sum
sum_block (sum_team &t, const BODY &body, const ABOUT &about, int64_t k, int64_t end)
{
  typename BODY::sum sum = BODY::none ();
#pragma unroll 2
  for (k += t.rank; k < end; k += sum_team::size)
    body.add (&sum, about, k);
  return t.reduce (sum, joins<BODY> ());
}

template <typename BODY>
__global__ void
__launch_bounds__ (TEAM_BLOCK) sum_small (region_set s, BODY body)
{
  int64_t slot = ((int64_t) blockIdx.x * TEAM_BLOCK + threadIdx.x) / REGION_LANES,
          slots = (int64_t) gridDim.x * (TEAM_BLOCK / REGION_LANES);
  sum_team t;
  for (int64_t i = slot; i < s.n; i += slots) {
    if (region_is_large (s, i))
      continue;
    const int64_t first = s.first[i], end = region_end (s, i);
    auto about = body.begin (i);
    auto sum = sum_block (t, body, about, first, first + REGION_BLOCK < end ? first + REGION_BLOCK : end);
    if (first + REGION_BLOCK < end) {
      auto own = BODY::none ();
      for (int64_t b = 0, from = first; from < end; b++, from += REGION_BLOCK) {
        if (b)
          sum = sum_block (t, body, about, from, from + REGION_BLOCK < end ? from + REGION_BLOCK : end);
        if (b % REGION_LANES == t.rank)
          BODY::join (&own, sum);
      }
      sum = t.reduce (own, joins<BODY> ());
    }
    if (t.rank == 0)
      body.finish (i, about, sum);
  }
}

/* Where the sum of the block is that begins at run `from`. In REGION_BLOCK runs at most one block of a large object begins that is its
 * first, and one that is not. */
__device__ inline int64_t
block_index (int64_t from, bool first)
{
  return 2 * (from / REGION_BLOCK) + first;
}

/* A team for each window of REGION_BLOCK runs: the blocks of large objects that begin in it. */
template <typename BODY>
__global__ void
__launch_bounds__ (TEAM_BLOCK) sum_blocks (region_set s, BODY body, typename BODY::sum *sums)
{
  const int64_t window = ((int64_t) blockIdx.x * TEAM_BLOCK + threadIdx.x) / REGION_LANES, low = window * REGION_BLOCK,
                high = low + REGION_BLOCK < s.n_runs ? low + REGION_BLOCK : s.n_runs;
  sum_team t;
  if (low >= s.n_runs)
    return;
  for (int which = 0; which < 2; which++) {
    const int64_t i = s.owner[which ? high - 1 : low], first = s.first[i], end = region_end (s, i);
    const int64_t from = first >= low ? first : first + (low - first + REGION_BLOCK - 1) / REGION_BLOCK * REGION_BLOCK;
    if (!region_is_large (s, i) || from >= high || from >= end || (which && i == s.owner[low]))
      continue;
    auto sum = sum_block (t, body, body.begin (i), from, from + REGION_BLOCK < end ? from + REGION_BLOCK : end);
    if (t.rank == 0)
      sums[block_index (from, from == first)] = sum;
  }
}

template <typename BODY>
__global__ void
__launch_bounds__ (TEAM_BLOCK) sum_large (region_set s, BODY body, const typename BODY::sum *sums)
{
  const int64_t slot = ((int64_t) blockIdx.x * TEAM_BLOCK + threadIdx.x) / REGION_LANES;
  sum_team t;
  if (slot >= s.n_large)
    return;
  const int64_t i = s.large[slot], first = s.first[i], end = region_end (s, i);
  auto sum = BODY::none ();
  for (int64_t from = first + t.rank * REGION_BLOCK; from < end; from += REGION_LANES * REGION_BLOCK)
    BODY::join (&sum, sums[block_index (from, from == first)]);
  sum = t.reduce (sum, joins<BODY> ());
  if (t.rank == 0)
    body.finish (i, body.begin (i), sum);
}

template <typename BODY>
static inline fv_status
for_each_sum (const fv_call *call, const region_set *s, const BODY &body, fv_error *error)
{
  static_assert (sizeof (typename BODY::sum) % 4 == 0, "shuffled in words");
  static_assert ((int) TEAM_LARGE >= (int) REGION_BLOCK, "a large object is longer than a window");
  cudaStream_t stream = cuda_stream (call);
  sum_small<<<team_blocks (s->n, REGION_LANES), TEAM_BLOCK, 0, stream>>> (*s, body);
  if (s->n_large > 0) {
    const int64_t windows = (s->n_runs + REGION_BLOCK - 1) / REGION_BLOCK;
    typename BODY::sum *sums;
    fv_status status = cuda_scratch (call, (size_t) (2 * windows), &sums, error);
    if (status)
      return status;
    sum_blocks<<<(unsigned) blocks_for (windows * REGION_LANES, TEAM_BLOCK), TEAM_BLOCK, 0, stream>>> (*s, body, sums);
    sum_large<<<(unsigned) blocks_for (s->n_large * REGION_LANES, TEAM_BLOCK), TEAM_BLOCK, 0, stream>>> (*s, body,
                                                                                                         sums);
  }
  return cuda_status (cudaGetLastError (), "Measuring objects", error);
}

/* ---- The pixels of a run ---- */

/* Adds N sums of the pixels of a run to `all`, for all members of the team; terms (x, v) adds those of pixel x to v[0 ... N - 1]. */
template <int N, typename TERMS>
__device__ __forceinline__ void
sum_run (warp_team<8> &t, const run &r, double (&all)[N], TERMS terms)
{
  for (int64_t from = r.x0; from < r.x1; from += REGION_CHUNK) {
    const int64_t end = from + REGION_CHUNK < r.x1 ? from + REGION_CHUNK : (int64_t) r.x1;
    double v[N] = {};
#pragma unroll 4
    for (int64_t x = from + t.rank; x < end; x += REGION_LANES)
      terms (x, v);
#pragma unroll
    for (int k = 0; k < N; k++)
      all[k] += team_sum (t, v[k]);
  }
}

/* Four chunks at a time. */
template <int N, typename TERMS>
__device__ __forceinline__ void
sum_run (warp_team<32> &t, const run &r, double (&all)[N], TERMS terms)
{
  const int chunk = t.rank / REGION_LANES, lane = t.rank % REGION_LANES;
  for (int64_t first = r.x0; first < r.x1; first += 4 * REGION_CHUNK) {
    const int64_t from = first + chunk * REGION_CHUNK,
                  end = from + REGION_CHUNK < r.x1 ? from + REGION_CHUNK : (int64_t) r.x1;
    double v[N] = {};
#pragma unroll 4
    for (int64_t x = from + lane; x < end; x += REGION_LANES)
      terms (x, v);
#pragma unroll
    for (int k = 0; k < N; k++) {
      for (int step = REGION_LANES / 2; step; step /= 2)
        v[k] += t.of (v[k], t.rank ^ step);
      for (int c = 0; c < 4; c++)
        all[k] += t.of (v[k], c * REGION_LANES);
    }
  }
}

template <int N, typename TERMS>
__device__ __forceinline__ void
sum_run (warp_team<1> &, const run &r, double (&all)[N], TERMS terms)
{
  for (int64_t from = r.x0; from < r.x1; from += REGION_CHUNK) {
    const int64_t end = from + REGION_CHUNK < r.x1 ? from + REGION_CHUNK : (int64_t) r.x1;
    double v[REGION_LANES][N] = {};
    for (int64_t x = from; x < end; x += REGION_LANES)
#pragma unroll
      for (int l = 0; l < REGION_LANES; l++)
        if (x + l < end)
          terms (x + l, v[l]);
#pragma unroll
    for (int k = 0; k < N; k++)
      all[k] += ((v[0][k] + v[4][k]) + (v[2][k] + v[6][k])) + ((v[1][k] + v[5][k]) + (v[3][k] + v[7][k]));
  }
}

#endif
