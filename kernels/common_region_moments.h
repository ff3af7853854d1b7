/* SPDX-License-Identifier: MIT
 *
 * Moments of an object, in pixels: m[(r * 4 + p) * 4 + q] = sum of (z - cz)^r (y - cy)^p (x - cx)^q over its pixels, up
 * to the third power along each axis; in a plane m[p * 4 + q]. Coordinates are counted from the bounding box's corner.
 * A run of n pixels about its middle has the sums n, 0, n(n^2 - 1)/12, 0.
 */
#ifndef KERNELS_COMMON_REGION_MOMENTS_H
#define KERNELS_COMMON_REGION_MOMENTS_H

#include "common_regions.h"

enum { PLANE_MOMENTS = 16, VOLUME_MOMENTS = 64 };

/* Centre and covariance (division by n) of the pixel centres, from exact integer sums: a line has variance 0 across. */
typedef struct region_spread {
  double centre[3], covariance[3][3]; /* z, y, x */
} region_spread;
region_spread region_spread_of (const region *o);

void region_moments (const region *o, bool volume, const double centre[3], double *m);

/* Adds the rows' share to all moments: along[q] are the sums along x at height z, y above the centre. */
INLINE void
moments_add_row (double *m, bool volume, double z, double y, const double along[4])
{
  double by_z = 1;
  for (int r = 0; r < (volume ? 4 : 1); r++, by_z *= z) {
    double by_y = by_z;
    for (int p = 0; p < 4; p++, by_y *= y)
      for (int q = 0; q < 4; q++)
        m[(r * 4 + p) * 4 + q] += by_y * along[q];
  }
}

/* From pixels to the unit of the spacing. */
void moments_scale (double *m, bool volume, const double spacing[3]);

/* scikit-image's normalised moments of central ones; NaN below order 2. */
void moments_normalise (double *nu, const double *mu, bool volume, const double spacing[3]);

/* Hu's seven invariants of a plane's normalised moments. */
void moments_hu (double hu[7], const double *nu);

/* Eigenvalues of a symmetric matrix of `n` 2 or 3 rows, largest first, none below 0. */
void symmetric_eigenvalues (double values[3], double matrix[3][3], int n);

#endif
