/* SPDX-License-Identifier: MIT
 *
 * How far down a block of gaussian goes.
 */
#ifndef KERNELS_GAUSSIAN_GAUSSIAN_STEPS_CUH
#define KERNELS_GAUSSIAN_GAUSSIAN_STEPS_CUH

#include "kernels/gaussian/gaussian_sums.cuh"

static int
gaussian_attribute (cudaDeviceAttr which)
{
  int device = 0, value = 0;
  cudaGetDevice (&device);
  cudaDeviceGetAttribute (&value, which, device);
  return value;
}

/* Steps of a block, so that the multiprocessors get equal work and little of it twice. `resident` blocks share one;
 * fewer than a few are no faster. The last blocks of all end a block's time apart. */
static int
choose_steps (int64_t rows, int64_t columns_of_blocks, double lag, int64_t resident)
{
  const int64_t few = 4, all = blocks_for (rows, GAUSSIAN_STEP), processors = multiprocessors ();
  int64_t best = 1;
  double least = 1e300;
  for (int64_t down = 1; down <= all && down <= 1024; down++) {
    int64_t steps = blocks_for (all, down), blocks = columns_of_blocks * blocks_for (all, steps);
    int64_t each = blocks_for (blocks, processors), rest = each % resident;
    double turns = (double) (each - rest + (rest > 0 && rest < few ? few : rest));
    double cost = (turns + 1) * ((double) steps + 0.6 * lag + 0.3);
    if (cost < least) {
      least = cost;
      best = steps;
    }
  }
  return (int) best;
}

#endif
