/* SPDX-License-Identifier: MIT
 *
 * Moments of an object, in pixels, up to the third power along each axis: m[(r * 4 + p) * 4 + q] = sum of (z - cz)^r (y - cy)^p (x - cx)^q. In a
 * plane it is m[p * 4 + q]. Coordinates are counted from the bounding box's corner. A run of n pixels about its middle has the sums n, 0, n(n^2 -
 * 1)/12, 0.
 * M.-K. Hu, Visual pattern recognition by moment invariants, IRE Trans. Inf. Theory 8 (1962).
 */
#ifndef KERNELS_REGIONS_REGION_MOMENTS_H
#define KERNELS_REGIONS_REGION_MOMENTS_H

#include "kernels/common/defined.h"
#include "kernels/regions/regions.h"

__extension__ typedef __int128 wide;

enum { PLANE_MOMENTS = 16, VOLUME_MOMENTS = 64 };

/* a * b, rounded before it is added to anything: both devices then see the same ties and zeros. */
INLINE double
product (double a, double b)
{
#ifdef __CUDA_ARCH__
  return __dmul_rn (a, b);
#else
  return a * b;
#endif
}

/* ---- Center and covariance ---- */

/* Exact sums over an object: first and second moments from the box's corner. second: zz, zy, zx, yy, yx, xx. */
typedef struct region_sums_exact {
  wide first[3], second[6];
} region_sums_exact;

INLINE void
exact_add_run (region_sums_exact *s, const run *r, const int32_t low[3])
{
  int64_t length = r->x1 - r->x0, z = r->z - low[0], y = r->y - low[1];
  int64_t x0 = r->x0 - low[2], x1 = r->x1 - low[2];
  int64_t sum = (x1 - 1 + x0) * length / 2;
  s->first[0] += z * length, s->first[1] += y * length, s->first[2] += sum;
  s->second[0] += (wide) (z * z) * length, s->second[1] += (wide) (z * y) * length, s->second[2] += (wide) z * sum;
  s->second[3] += (wide) (y * y) * length, s->second[4] += (wide) y * sum;
  /* x0^2 + ... + (x1 - 1)^2, about the middle of the run: (n (x0 + x1 - 1)^2 + (n - 1) n (n + 1) / 3) / 4 */
  int64_t twice = x0 + x1 - 1, a = (length - 1) * length, b = length + 1;
  s->second[5] += ((wide) (twice * twice) * length + (a % 3 ? (wide) a * (b / 3) : (wide) (a / 3) * b)) >> 2;
}

/* Center and covariance (division by n) of the pixel centers: a line has variance 0 across. */
typedef struct region_spread {
  double center[3], covariance[3][3]; /* z, y, x */
} region_spread;

INLINE void
spread_from_exact (region_spread *s, const region_sums_exact *e, int64_t pixels)
{
  wide n = pixels;
  int k = 0;
  for (int a = 0; a < 3; a++) {
    s->center[a] = (double) e->first[a] / (double) n;
    for (int b = a; b < 3; b++, k++)
      s->covariance[a][b] = s->covariance[b][a] =
        (double) (n * e->second[k] - e->first[a] * e->first[b]) / ((double) n * (double) n);
  }
}

region_spread region_spread_of (const region *o);

/* ---- Sums in lanes ---- */

/* Joins the first `used` of the lanes, each of `width` sums, by halves into the first; others would be 0. */
INLINE void
region_join_lanes (double *lanes, int64_t used, int width)
{
  for (int half = REGION_LANES / 2; half; half /= 2)
    for (int64_t i = 0; i < half && i + half < used; i++)
      for (int k = 0; k < width; k++)
        lanes[i * width + k] += lanes[(i + half) * width + k];
}

/* ---- Moments ---- */

void region_moments (const region *o, bool volume, const double center[3], double *m);

/* Adds the rows' share to all moments: along[q] are the sums along x at height z, y above the center. */
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

INLINE void
moments_add_run (double *m, bool volume, const run *r, const int32_t low[3], const double center[3])
{
  double n = r->x1 - r->x0, x = 0.5 * ((double) r->x0 + r->x1 - 1) - low[2] - center[2];
  double spread = n * (n * n - 1) / 12;
  double along[4] = {n, n * x, n * x * x + spread, x * (n * x * x + 3 * spread)};
  moments_add_row (m, volume, r->z - low[0] - center[0], r->y - low[1] - center[1], along);
}

/* From pixels to the unit of the spacing. */
INLINE void
moments_scale (double *m, bool volume, const double spacing[3])
{
  double z = 1;
  for (int r = 0; r < (volume ? 4 : 1); r++, z *= spacing[0]) {
    double y = z;
    for (int p = 0; p < 4; p++, y *= spacing[1]) {
      double x = y;
      for (int q = 0; q < 4; q++, x *= spacing[2])
        m[(r * 4 + p) * 4 + q] *= x;
    }
  }
}

INLINE double
whole_power (double x, int n)
{
  double power = 1;
  for (; n > 0; n--)
    power *= x;
  return power;
}

/* x^(n / axes), for n above `axes`; NaN for x below 0 where that is not an integer. */
INLINE double
power_by_axes (double x, int n, int axes)
{
  const double root = n % axes == 0 ? 1 : x < 0 ? NAN : axes == 2 ? sqrt (x) : defined_cbrt (x);
  return whole_power (x, n / axes) * whole_power (root, n % axes);
}

/* scikit-image's normalized moments of central ones; NaN below order 2. */
INLINE void
moments_normalize (double *nu, const double *mu, bool volume, const double spacing[3])
{
  double scale = fmin (spacing[1], spacing[2]);
  int axes = volume ? 3 : 2;
  if (volume)
    scale = fmin (scale, spacing[0]);
  for (int i = 0; i < (volume ? VOLUME_MOMENTS : PLANE_MOMENTS); i++) {
    int order = i / 16 + i / 4 % 4 + i % 4;
    nu[i] = order < 2 ? NAN : mu[i] / whole_power (scale, order) / power_by_axes (mu[0], order + axes, axes);
  }
}

/* Hu's seven invariants of a plane's normalized moments. */
INLINE void
moments_hu (double hu[7], const double *nu)
{
#define NU(P, Q) nu[4 * (P) + (Q)]
  double s = NU (2, 0) + NU (0, 2), d = NU (2, 0) - NU (0, 2), n11 = NU (1, 1);
  double a = NU (3, 0) - 3 * NU (1, 2), b = 3 * NU (2, 1) - NU (0, 3);
  double c = NU (3, 0) + NU (1, 2), e = NU (2, 1) + NU (0, 3);
#undef NU
  hu[0] = s;
  hu[1] = d * d + 4 * n11 * n11;
  hu[2] = a * a + b * b;
  hu[3] = c * c + e * e;
  hu[4] = a * c * (c * c - 3 * e * e) + b * e * (3 * c * c - e * e);
  hu[5] = d * (c * c - e * e) + 4 * n11 * c * e;
  hu[6] = b * c * (c * c - 3 * e * e) - a * e * (3 * c * c - e * e);
}

/* ---- Eigenvalues, by Jacobi rotations ---- */

/* Turns axes p and q so that m[p][q] becomes 0. */
INLINE void
rotate_axes (double m[3][3], int p, int q)
{
  if (m[p][q] == 0)
    return;
  double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
  double t = copysign (1 / (fabs (theta) + sqrt (product (theta, theta) + 1)), theta);
  double c = 1 / sqrt (product (t, t) + 1), s = t * c, off = m[p][q];
  int k = 3 - p - q;
  double kp = m[k][p], kq = m[k][q];
  m[p][p] -= product (t, off), m[q][q] += product (t, off);
  m[p][q] = m[q][p] = 0;
  m[k][p] = m[p][k] = product (c, kp) - product (s, kq);
  m[k][q] = m[q][k] = product (s, kp) + product (c, kq);
}

/* Eigenvalues of a symmetric matrix of `n` 2 or 3 rows, largest first, none below 0. */
INLINE void
symmetric_eigenvalues (double values[3], double matrix[3][3], int n)
{
  double m[3][3] = {{0}};
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      m[i][j] = matrix[i][j];
  rotate_axes (m, 0, 1);
  for (int sweep = 0; n == 3 && sweep < 12; sweep++) {
    rotate_axes (m, 0, 2);
    rotate_axes (m, 1, 2);
    rotate_axes (m, 0, 1);
  }
  for (int i = 0; i < n; i++) {
    double v = fmax (m[i][i], 0.0);
    int at = i;
    for (; at > 0 && values[at - 1] < v; at--)
      values[at] = values[at - 1];
    values[at] = v;
  }
}

#endif
