/* SPDX-License-Identifier: MIT
 *
 * The method `huang` on the GPU: the fuzziness of every threshold is summed with its logarithms, by a warp each.
 */
#ifndef KERNELS_THRESHOLD_METHODS_HUANG_CUH
#define KERNELS_THRESHOLD_METHODS_HUANG_CUH

#include "kernels/threshold/methods_huang.h"
#include "kernels/threshold/methods_histogram.cuh"

/* Blocks of 256 in any number, a problem in the second dimension. A threshold for each warp, two logarithms for each bin that is not empty;
 * 8 bytes read a bin, mostly from the first cache. */
__global__ void __launch_bounds__ (256) huang_kernel (choosing c)
{
  const state *s = state_of (c, blockIdx.y);
  if (!s->running)
    return;
  int64_t n = s->n;
  memory m = memory_of (c, blockIdx.y, n);
  const double *counts = m.array<double> (0), *number = m.array<double> (1), *sum = m.array<double> (2);
  double *fuzziness = m.array<double> (3);
  const double term = __ddiv_rn (1, (double) (n - 1));
  int lane = (int) threadIdx.x & 31;
  for (int64_t i = (int64_t) blockIdx.x * 8 + threadIdx.x / 32; i < n - 1; i += (int64_t) gridDim.x * 8) {
    double low = __ddiv_rn (sum[i], number[i]), total = 0;
    double high = __ddiv_rn (__dsub_rn (sum[n - 1], sum[i]), __dsub_rn (number[n - 1], number[i]));
    for (int64_t k = lane; k < n; k += 32)
      if (counts[k] > 0)
        total += counts[k] * huang_entropy (__dsub_rn ((double) k, k <= i ? low : high), term);
    for (int d = 16; d; d /= 2)
      total += __shfl_xor_sync (~0u, total, d);
    if (lane == 0)
      fuzziness[i] = total;
  }
}

/* One block of 256 for each problem: 8 bytes read a bin, twice. */
__global__ void __launch_bounds__ (256) huang_end_kernel (choosing c)
{
  __shared__ best shared[2][32];
  const state *s = state_of (c, blockIdx.x);
  if (!s->running)
    return;
  const double *fuzziness = memory_of (c, blockIdx.x, s->n).array<double> (3);
  best least = {-HUGE_VAL, INT32_MAX}, first = least;
  for (int64_t i = threadIdx.x; i < s->n - 1; i += blockDim.x)
    least = better (least, {-fuzziness[i], (int) i, 0});
  least = join_block (least, shared[0], better);
  for (int64_t i = threadIdx.x; i < s->n - 1; i += blockDim.x)
    if (fuzziness[i] <= -least.value * HUANG_SAME)
      first = better (first, {0, (int) i, 0});
  first = join_block (first, shared[1], better);
  if (threadIdx.x == 0)
    finish_bin (c, blockIdx.x, first.at);
}

#endif
