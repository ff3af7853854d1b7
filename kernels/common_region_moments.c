/* SPDX-License-Identifier: MIT
 *
 * Moments of objects. M.-K. Hu, Visual pattern recognition by moment invariants, IRE Trans. Inf. Theory 8 (1962);
 * eigenvalues of 3x3 matrices by Jacobi rotations.
 */
#include "common_region_moments.h"

__extension__ typedef __int128 wide;

region_spread
region_spread_of (const region *o)
{
  wide first[3] = {0}, second[3][3] = {{0}}, n = o->pixels;
  region_spread s = {{0}, {{0}}};
  for (const run *r = o->runs; r < o->runs + o->n_runs; r++) {
    int64_t length = r->x1 - r->x0, z = r->z - o->low[0], y = r->y - o->low[1];
    int64_t x0 = r->x0 - o->low[2], x1 = r->x1 - o->low[2];
    int64_t sum = (x1 - 1 + x0) * length / 2;
    first[0] += z * length, first[1] += y * length, first[2] += sum;
    second[0][0] += (wide) (z * z) * length, second[1][1] += (wide) (y * y) * length;
    second[2][2] += ((wide) (x1 - 1) * x1 * (2 * x1 - 1) - (wide) (x0 - 1) * x0 * (2 * x0 - 1)) / 6;
    second[0][1] += (wide) (z * y) * length, second[0][2] += (wide) z * sum, second[1][2] += (wide) y * sum;
  }
  for (int a = 0; a < 3; a++) {
    s.centre[a] = (double) first[a] / (double) n;
    for (int b = a; b < 3; b++)
      s.covariance[a][b] = s.covariance[b][a] =
        (double) (n * second[a][b] - first[a] * first[b]) / ((double) n * (double) n);
  }
  return s;
}

void
region_moments (const region *o, bool volume, const double centre[3], double *m)
{
  memset (m, 0, (volume ? VOLUME_MOMENTS : PLANE_MOMENTS) * sizeof *m);
  for (const run *r = o->runs; r < o->runs + o->n_runs; r++) {
    double n = r->x1 - r->x0, x = 0.5 * ((double) r->x0 + r->x1 - 1) - o->low[2] - centre[2];
    double spread = n * (n * n - 1) / 12;
    double along[4] = {n, n * x, n * x * x + spread, x * (n * x * x + 3 * spread)};
    moments_add_row (m, volume, r->z - o->low[0] - centre[0], r->y - o->low[1] - centre[1], along);
  }
}

void
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

void
moments_normalise (double *nu, const double *mu, bool volume, const double spacing[3])
{
  double scale = fmin (spacing[1], spacing[2]);
  int axes = volume ? 3 : 2;
  if (volume)
    scale = fmin (scale, spacing[0]);
  for (int i = 0; i < (volume ? VOLUME_MOMENTS : PLANE_MOMENTS); i++) {
    int order = i / 16 + i / 4 % 4 + i % 4;
    nu[i] = order < 2 ? NAN : mu[i] / pow (scale, order) / pow (mu[0], (double) order / axes + 1);
  }
}

void
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

/* Turns axes p and q so that m[p][q] becomes 0. */
static void
rotate (double m[3][3], int p, int q)
{
  if (m[p][q] == 0)
    return;
  double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
  double t = copysign (1 / (fabs (theta) + sqrt (theta * theta + 1)), theta);
  double c = 1 / sqrt (t * t + 1), s = t * c, off = m[p][q];
  int k = 3 - p - q;
  double kp = m[k][p], kq = m[k][q];
  m[p][p] -= t * off, m[q][q] += t * off;
  m[p][q] = m[q][p] = 0;
  m[k][p] = m[p][k] = c * kp - s * kq;
  m[k][q] = m[q][k] = s * kp + c * kq;
}

void
symmetric_eigenvalues (double values[3], double matrix[3][3], int n)
{
  double m[3][3] = {{0}};
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      m[i][j] = matrix[i][j];
  rotate (m, 0, 1);
  for (int sweep = 0; n == 3 && sweep < 12; sweep++) {
    rotate (m, 0, 2);
    rotate (m, 1, 2);
    rotate (m, 0, 1);
  }
  for (int i = 0; i < n; i++) {
    double v = fmax (m[i][i], 0);
    int at = i;
    for (; at > 0 && values[at - 1] < v; at--)
      values[at] = values[at - 1];
    values[at] = v;
  }
}
