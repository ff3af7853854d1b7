/* SPDX-License-Identifier: MIT
 *
 * ranks_limits() on the GPU: for each digit of 8 bits, from the highest, a kernel that counts and one that chooses. Nothing is read back.
 */
#ifndef KERNELS_CONTRAST_RANKS_CUH
#define KERNELS_CONTRAST_RANKS_CUH

#include "kernels/common/histogram.cuh"
#include "kernels/common/keys.cuh"
#include "kernels/contrast/ranks.h"

enum { RANKS_THREADS = 512, RANKS_DEEP = 4, RANKS_BINS = 256 };

struct ranks_state {
  int64_t total, rank[RANKS_MAX];
  uint64_t higher[RANKS_MAX]; /* the digits that are found */
  unsigned long long counts[RANKS_MAX][RANKS_BINS];
};

/* Blocks of 512 with a table of 256 counters for each rank (one for the first digit) in shared memory; reads each pixel once. Two barriers. */
template <typename T>
__global__ static void
__launch_bounds__ (RANKS_THREADS) ranks_count_kernel (lines<T> l, int shift, int tables, ranks_state *state)
{
  __shared__ uint32_t counts[RANKS_MAX][RANKS_BINS];
  constexpr int warps = RANKS_THREADS / 32, size = piece_pixels<T, RANKS_DEEP>;
  const int64_t pieces = l.count * ((l.columns + size - 1) / size);
  uint64_t higher[RANKS_MAX];
#pragma unroll
  for (int t = 0; t < RANKS_MAX; t++)
    higher[t] = state->higher[t];
  for (int i = (int) threadIdx.x; i < RANKS_MAX * RANKS_BINS; i += RANKS_THREADS)
    counts[i / RANKS_BINS][i % RANKS_BINS] = 0;
  __syncthreads ();
  for (int64_t s = (int64_t) blockIdx.x * warps + threadIdx.x / 32; s < pieces; s += (int64_t) gridDim.x * warps)
    each_pixel<RANKS_DEEP> (l, 0, s, [&] (T v) {
      const uint64_t key = (uint64_t) key_of (v) >> shift;
      if (is_finite_pixel (v))
#pragma unroll
        for (int t = 0; t < RANKS_MAX; t++)
          if (t < tables && key >> 8 == higher[t])
            atomicAdd (&counts[t][key & 255], 1);
    });
  __syncthreads ();
  for (int i = (int) threadIdx.x; i < tables * RANKS_BINS; i += RANKS_THREADS)
    if (counts[i / RANKS_BINS][i % RANKS_BINS])
      atomicAdd (&state->counts[i / RANKS_BINS][i % RANKS_BINS],
                 (unsigned long long) counts[i / RANKS_BINS][i % RANKS_BINS]);
}

/* One block of 1024, which takes the counts and clears them; a thread for each rank finds its digit, and in the end the limits. Two barriers. */
__global__ static void __launch_bounds__ (1024)
  ranks_choose_kernel (ranks_state *state, ranks_rule rule, fv_type type, bool first, bool last, double *limits)
{
  __shared__ unsigned long long counts[RANKS_MAX][RANKS_BINS];
  __shared__ double values[RANKS_MAX];
  const int me = (int) threadIdx.x, n = ranks_count (&rule);
  counts[me / RANKS_BINS][me % RANKS_BINS] = state->counts[me / RANKS_BINS][me % RANKS_BINS];
  state->counts[me / RANKS_BINS][me % RANKS_BINS] = 0;
  __syncthreads ();
  int64_t total = first ? 0 : state->total;
  for (int i = 0; i < RANKS_BINS && first && me < n; i++)
    total += (int64_t) counts[0][i];
  if (me < n && total > 0) {
    int64_t rank = first ? rank_at (&rule, me, total) : state->rank[me];
    const unsigned long long *mine = counts[first ? 0 : me];
    uint64_t digit = 0;
    while (rank >= (int64_t) mine[digit])
      rank -= (int64_t) mine[digit++];
    state->rank[me] = rank;
    state->higher[me] = state->higher[me] << 8 | digit;
    values[me] = key_value (type, state->higher[me]);
  }
  __syncthreads ();
  if (me == 0 && first)
    state->total = total;
  if (me < 2 && last)
    limits[me] = total > 0 ? ranks_limit (&rule, values, me, total) : (double) NAN;
}

/* limits: two numbers of device memory. */
template <typename T>
static fv_status
ranks_limits_cuda (const fv_call *call, const lines<T> &l, const ranks_rule *rule, fv_type type, ranks_state *state,
                   double *limits, fv_error *error)
{
  const int64_t wanted = blocks_for (pieces_of<T, RANKS_DEEP> (l), RANKS_THREADS / 32),
                most = 2 * (int64_t) multiprocessors ();
  const unsigned blocks = (unsigned) (wanted < 1 ? 1 : wanted < most ? wanted : most);
  const int top = 8 * (int) sizeof (T) - 8;
  const cudaStream_t stream = cuda_stream (call);
  cudaMemsetAsync (state, 0, sizeof *state, stream);
  for (int shift = top; shift >= 0; shift -= 8) {
    const bool first = shift == top;
    ranks_count_kernel<T><<<blocks, RANKS_THREADS, 0, stream>>> (l, shift, first ? 1 : ranks_count (rule), state);
    ranks_choose_kernel<<<1, 1024, 0, stream>>> (state, *rule, type, first, shift == 0, limits);
  }
  return cuda_status (cudaGetLastError (), "Finding values by rank", error);
}

#endif
