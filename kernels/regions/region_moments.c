/* SPDX-License-Identifier: MIT
 *
 * Sums and moments of an object from its runs.
 */
#include "kernels/regions/region_moments.h"

region_spread
region_spread_of (const region *o)
{
  region_sums_exact e = {{0}, {0}};
  region_spread s;
  for (const run *r = o->runs; r < o->runs + o->n_runs; r++)
    exact_add_run (&e, r, o->low);
  spread_from_exact (&s, &e, o->pixels);
  return s;
}

/* A block of n runs, into lanes[0 ... width - 1]. */
static void
add_block (const region *o, const run *runs, int64_t n, bool volume, const double center[3], double *lanes)
{
  const int width = volume ? VOLUME_MOMENTS : PLANE_MOMENTS;
  const int64_t used = n < REGION_LANES ? n : REGION_LANES;
  memset (lanes, 0, (size_t) (used * width) * sizeof *lanes);
  for (int64_t k = 0; k < n; k++)
    moments_add_run (lanes + k % REGION_LANES * width, volume, runs + k, o->low, center);
  region_join_lanes (lanes, used, width);
}

void
region_moments (const region *o, bool volume, const double center[3], double *m)
{
  const int width = volume ? VOLUME_MOMENTS : PLANE_MOMENTS;
  const int64_t blocks = (o->n_runs + REGION_BLOCK - 1) / REGION_BLOCK,
                used = blocks < REGION_LANES ? blocks : REGION_LANES;
  double lanes[REGION_LANES * VOLUME_MOMENTS], all[REGION_LANES * VOLUME_MOMENTS];
  memset (all, 0, (size_t) (used * width) * sizeof *all);
  for (int64_t b = 0; b < blocks; b++) {
    const int64_t left = o->n_runs - b * REGION_BLOCK;
    add_block (o, o->runs + b * REGION_BLOCK, left < REGION_BLOCK ? left : REGION_BLOCK, volume, center, lanes);
    for (int k = 0; k < width; k++)
      all[b % REGION_LANES * width + k] += lanes[k];
  }
  region_join_lanes (all, used, width);
  memcpy (m, all, (size_t) width * sizeof *m);
}
