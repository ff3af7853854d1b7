/* SPDX-License-Identifier: MIT
 *
 * ImageJ's own methods on the GPU: methods_imagej.h by one thread; the smoothings of `minimum`, and what a bin is worth, by a
 * thread for each of the 256 bins.
 */
#ifndef KERNELS_THRESHOLD_METHODS_IMAGEJ_CUH
#define KERNELS_THRESHOLD_METHODS_IMAGEJ_CUH

#include "kernels/threshold/choosing.cuh"
#include "kernels/threshold/methods_imagej.h"

/* The bin, for all threads; two barriers for each smoothing. */
__device__ int
imagej_minimum (const int64_t *counts)
{
  __shared__ double values[IMAGEJ_BINS];
  __shared__ int valley;
  const int i = (int) threadIdx.x;
  values[i] = (double) counts[i];
  if (i == 0)
    valley = INT32_MAX;
  __syncthreads ();
  for (int k = 0; k <= IMAGEJ_SMOOTHINGS; k++) {
    double next = imagej_smooth (values, i);
    if (__syncthreads_count (imagej_is_peak (values, i)) == 2) {
      if (imagej_is_valley (values, i))
        atomicMin (&valley, i);
      __syncthreads ();
      return valley;
    }
    values[i] = next;
    __syncthreads ();
  }
  return -1;
}

/* The bin, for all threads: each says what its bin is worth; one barrier. */
__device__ int
imagej_best_bin (int method, const int64_t *counts)
{
  __shared__ double worth[IMAGEJ_BINS];
  worth[threadIdx.x] = imagej_worth (method, counts, (int) threadIdx.x);
  __syncthreads ();
  return imagej_best (method, worth);
}

/* A block of 256 for each problem: 4 bytes read a bin of the histogram twice, some barriers. */
__global__ void
__launch_bounds__ (IMAGEJ_BINS) imagej_kernel (choosing c)
{
  __shared__ int64_t counts[IMAGEJ_BINS];
  double threshold;
  table t;
  wait_for_kernel_before ();
  counts[threadIdx.x] = 0;
  bool some = table_make (c, &t, &threshold);
  if (some) {
    bool exact = t.g->exact;
    double low = exact ? t.low () : t.g->low, high = exact ? t.low () + (double) (t.n - 1) : t.g->high;
    __syncthreads ();
    for (int i = (int) threadIdx.x; i < t.n; i += IMAGEJ_BINS)
      if (uint64_t n = t.count (i))
        atomicAdd ((unsigned long long *) counts + imagej_bin (c.type, exact, low, high, i), (unsigned long long) n);
    __syncthreads ();
    int bin = -1;
    if (c.method == THRESHOLD_IMAGEJ_MINIMUM)
      bin = imagej_minimum (counts);
    else if (imagej_takes_best (c.method))
      bin = imagej_best_bin (c.method, counts);
    else if (threadIdx.x == 0)
      bin = imagej_method (c.method, counts);
    threshold = imagej_threshold (c.type, low, high, bin, c.dark);
  }
  if (threadIdx.x == 0)
    finish (c, t.problem, threshold);
}

#endif
