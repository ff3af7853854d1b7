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

void
region_moments (const region *o, bool volume, const double centre[3], double *m)
{
  memset (m, 0, (volume ? VOLUME_MOMENTS : PLANE_MOMENTS) * sizeof *m);
  for (const run *r = o->runs; r < o->runs + o->n_runs; r++)
    moments_add_run (m, volume, r, o->low, centre);
}
