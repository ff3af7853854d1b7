/* SPDX-License-Identifier: MIT
 *
 * From an object's sums to the table: the formulas of the properties, the same for both devices.
 */
#ifndef KERNELS_REGIONS_REGION_FORMULAS_H
#define KERNELS_REGIONS_REGION_FORMULAS_H

#include "kernels/regions/region_moments.h"
#include "kernels/common/defined.h"
#include "kernels/regions/region_columns.h"

#include <float.h>

/* ---- The table ---- */

INLINE bool
wants (const region_table *t, property p)
{
  return t->at[p] >= 0;
}

/* Sets column k of a property in row i, if the property is asked for. */
INLINE void
put_property (const region_table *t, property p, int64_t i, int64_t k, double value)
{
  if (t->at[p] >= 0)
    t->values[(t->at[p] + k) * t->rows + i] = value;
}

/* Size of a pixel: area or volume. */
INLINE double
pixel_size (const region_table *t)
{
  return t->spacing[1] * t->spacing[2] * (t->volume ? t->spacing[0] : 1);
}

/* ---- Box and count ---- */

INLINE void
put_box (const region_table *t, const region *o, int64_t i)
{
  int axes = t->volume ? 3 : 2;
  double n = (double) o->pixels, box = 1;
  for (int a = 3 - axes, k = 0; a < 3; a++, k++) {
    box *= o->high[a] - o->low[a];
    put_property (t, P_bbox, i, k, o->low[a]);
    put_property (t, P_bbox, i, k + axes, o->high[a]);
  }
  if (t->plane >= 0)
    t->values[t->plane * t->rows + i] = o->low[0] + 1;
  put_property (t, P_label, i, 0, o->label);
  put_property (t, P_num_pixels, i, 0, n);
  put_property (t, P_area, i, 0, n * pixel_size (t));
  put_property (t, P_area_bbox, i, 0, box * pixel_size (t));
  put_property (t, P_extent, i, 0, n / box);
  if (wants (t, P_equivalent_diameter_area)) {
    const double power = 2 * axes * n * pixel_size (t) / PI;
    put_property (t, P_equivalent_diameter_area, i, 0, axes == 2 ? sqrt (power) : defined_cbrt (power));
  }
}

/* ---- Centroid and ellipse ---- */

/* The row and column parts of the inertia tensor give the ellipse; all of it the ellipsoid. */
INLINE void
put_inertia (const region_table *t, const region_spread *s, int64_t i)
{
  int axes = t->volume ? 3 : 2, base = 3 - axes;
  double tensor[3][3] = {{0}}, trace = 0, l[3];
  for (int a = 0; a < axes; a++)
    for (int b = 0; b < axes; b++) {
      tensor[a][b] = -product (s->covariance[base + a][base + b], t->spacing[base + a] * t->spacing[base + b]);
      trace -= a == b ? tensor[a][b] : 0;
    }
  for (int a = 0; a < axes; a++)
    tensor[a][a] += trace;
  symmetric_eigenvalues (l, tensor, axes);
  for (int a = 0; a < axes; a++) {
    put_property (t, P_inertia_tensor_eigvals, i, a, l[a]);
    for (int b = 0; b < axes; b++)
      put_property (t, P_inertia_tensor, i, a * axes + b, tensor[a][b]);
  }
  if (t->volume) {
    put_property (t, P_axis_major_length, i, 0, sqrt (fmax (0.0, 10 * (l[0] + l[1] - l[2]))));
    put_property (t, P_axis_minor_length, i, 0, sqrt (fmax (0.0, 10 * (l[1] + l[2] - l[0]))));
    return;
  }
  double a = tensor[0][0], b = tensor[0][1], c = tensor[1][1];
  put_property (t, P_axis_major_length, i, 0, 4 * sqrt (l[0]));
  put_property (t, P_axis_minor_length, i, 0, 4 * sqrt (l[1]));
  put_property (t, P_eccentricity, i, 0, l[0] > 0 ? sqrt (1 - l[1] / l[0]) : 0);
  put_property (t, P_orientation, i, 0, a != c ? 0.5 * defined_atan2 (-2 * b, c - a) : b < 0 ? PI / 4 : -PI / 4);
}

/* ImageJ's ellipse: the moments of square pixels, scaled to the object's area. */
INLINE void
put_imagej_ellipse (const region_table *t, const region *o, const region_spread *s, int64_t i)
{
  double dy = t->spacing[1], dx = t->spacing[2], area = (double) o->pixels * pixel_size (t);
  double yy = (s->covariance[1][1] + 1.0 / 12) * dy * dy, xx = (s->covariance[2][2] + 1.0 / 12) * dx * dx;
  double xy = s->covariance[1][2] * dy * dx, root = defined_hypot (0.5 * (xx - yy), xy), mean = 0.5 * (xx + yy);
  double ratio = (mean + root) / sqrt (product (xx, yy) - product (xy, xy));
  double major = sqrt (4 * area / PI * ratio), minor = sqrt (4 * area / PI / ratio);
  double angle = 0.5 * defined_atan2 (-2 * xy, xx - yy) * 180 / PI;
  put_property (t, P_major_axis_imagej, i, 0, major);
  put_property (t, P_minor_axis_imagej, i, 0, minor);
  put_property (t, P_angle_imagej, i, 0, angle < 0 ? angle + 180 : fabs (angle));
  put_property (t, P_aspect_ratio, i, 0, major / minor);
  put_property (t, P_roundness, i, 0, 4 * area / (PI * major * major));
}

INLINE void
put_spread (const region_table *t, const region *o, const region_spread *s, int64_t i)
{
  for (int a = t->volume ? 0 : 1, k = 0; a < 3; a++, k++) {
    put_property (t, P_centroid_local, i, k, s->center[a] * t->spacing[a]);
    put_property (t, P_centroid, i, k, (o->low[a] + s->center[a]) * t->spacing[a]);
  }
  put_inertia (t, s, i);
  if (!t->volume)
    put_imagej_ellipse (t, o, s, i);
}

/* ---- Moments: in pixels when they come in, scaled when they leave ---- */

INLINE void
put_moments (const region_table *t, double *m, int64_t i)
{
  moments_scale (m, t->volume, t->spacing);
  for (int k = 0; k < (t->volume ? VOLUME_MOMENTS : PLANE_MOMENTS); k++)
    put_property (t, P_moments, i, k, m[k]);
}

INLINE void
put_central_moments (const region_table *t, double *mu, int64_t i)
{
  double nu[VOLUME_MOMENTS], hu[7];
  moments_scale (mu, t->volume, t->spacing);
  moments_normalize (nu, mu, t->volume, t->spacing);
  for (int k = 0; k < (t->volume ? VOLUME_MOMENTS : PLANE_MOMENTS); k++) {
    put_property (t, P_moments_central, i, k, mu[k]);
    put_property (t, P_moments_normalized, i, k, nu[k]);
  }
  if (!wants (t, P_moments_hu))
    return;
  moments_hu (hu, nu);
  for (int k = 0; k < 7; k++)
    put_property (t, P_moments_hu, i, k, hu[k]);
}

/* ---- Outlines ---- */

/* What a length in pixels is multiplied with; lengths of both directions together need square pixels. */
INLINE double
square_pixel_side (const region_table *t)
{
  return fabs (t->spacing[1] - t->spacing[2]) <= 1e-6 * t->spacing[1] ? t->spacing[1] : NAN;
}

INLINE void
put_imagej_perimeter (const region_table *t, const region *o, double length, int64_t i)
{
  put_property (t, P_perimeter_imagej, i, 0, length);
  put_property (t, P_circularity, i, 0, fmin (1.0, 4 * PI * (double) o->pixels * pixel_size (t) / (length * length)));
}

/* ---- Intensities of one channel ---- */

typedef struct region_channel {
  int64_t number, of; /* this one, and how many */
} region_channel;

INLINE void
put_channel (const region_table *t, region_channel c, property p, int64_t i, int64_t k, double value)
{
  put_property (t, p, i, k * c.of + c.number, value);
}

INLINE void
put_mean (const region_table *t, region_channel c, double total, double mean, int64_t i)
{
  put_channel (t, c, P_intensity_mean, i, 0, mean);
  put_channel (t, c, P_integrated_density, i, 0, total * pixel_size (t));
  put_channel (t, c, P_raw_integrated_density, i, 0, total);
}

/* d: sums of the second, third and fourth powers about the mean. */
INLINE void
put_deviation (const region_table *t, region_channel c, int64_t pixels, double mean, const double d[3], int64_t i)
{
  double n = (double) pixels, variance = d[0] / n, deviation = sqrt (variance);
  /* What is left of a constant by rounding has no shape. */
  double shape = deviation > 4 * DBL_EPSILON * fabs (mean) ? 1 : NAN;
  put_channel (t, c, P_intensity_std, i, 0, deviation);
  put_channel (t, c, P_intensity_std_imagej, i, 0, n > 1 ? sqrt (d[0] / (n - 1)) : deviation);
  put_channel (t, c, P_intensity_skewness, i, 0, d[1] / n / (variance * deviation) * shape);
  put_channel (t, c, P_intensity_kurtosis, i, 0, (d[2] / n / (variance * variance) - 3) * shape);
}

/* Puts the raw moments and centroids, and gives the centroid in pixels from the box's corner. */
INLINE void
put_weighted (const region_table *t, region_channel c, const region *o, double *m, double center[3], int64_t i)
{
  int axes = t->volume ? 3 : 2;
  center[0] = t->volume ? m[16] / m[0] : 0, center[1] = m[4] / m[0], center[2] = m[1] / m[0];
  for (int a = 3 - axes, k = 0; a < 3; a++, k++) {
    put_channel (t, c, P_centroid_weighted_local, i, k, center[a] * t->spacing[a]);
    put_channel (t, c, P_centroid_weighted, i, k, (o->low[a] + center[a]) * t->spacing[a]);
  }
  moments_scale (m, t->volume, t->spacing);
  for (int k = 0; k < (t->volume ? VOLUME_MOMENTS : PLANE_MOMENTS); k++)
    put_channel (t, c, P_moments_weighted, i, k, m[k]);
}

INLINE void
put_weighted_central (const region_table *t, region_channel c, double *mu, int64_t i)
{
  double nu[VOLUME_MOMENTS], hu[7];
  moments_scale (mu, t->volume, t->spacing);
  moments_normalize (nu, mu, t->volume, t->spacing);
  for (int k = 0; k < (t->volume ? VOLUME_MOMENTS : PLANE_MOMENTS); k++) {
    put_channel (t, c, P_moments_weighted_central, i, k, mu[k]);
    put_channel (t, c, P_moments_weighted_normalized, i, k, nu[k]);
  }
  if (!wants (t, P_moments_weighted_hu))
    return;
  moments_hu (hu, nu);
  for (int k = 0; k < 7; k++)
    put_channel (t, c, P_moments_weighted_hu, i, k, hu[k]);
}

/* ---- Which parts the asked properties need ---- */

typedef struct region_needs {
  bool box; /* put_box(), for every object */
  bool spread, moments, central, convex, feret, imagej_hull, filled, patterns, perimeter, trace, surface;
  bool mean, range, ranks, deviation, weighted, weighted_central;
} region_needs;

/* Some parts begin with the results of others. */
static inline region_needs
region_needs_of (const region_table *t)
{
  region_needs n = {false};
#define X(KEY, LABEL, IMAGEJ, SHAPE, UNIT, FLAGS, NEED, HELP) n.NEED |= wants (t, P_##KEY);
  REGION_PROPERTIES (X)
#undef X
  n.spread |= n.moments || n.central;
  n.convex |= n.feret;
  n.range |= n.ranks;
  n.mean |= n.deviation;
  n.weighted |= n.weighted_central;
  return n;
}

#endif
