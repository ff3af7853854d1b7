/* SPDX-License-Identifier: MIT
 *
 * What is measured of a source, for both devices, by a team of 32 lanes. On the GPU it is a warp, on the CPU one thread that keeps their
 * sums apart, so that all are added up in one order. As in SExtractor (E. Bertin, S. Arnouts, A&AS 117 (1996) 393) and SEP: position and
 * ellipse are first and second moments of the filtered pixels above the threshold, the flux is the sum of the others. Hidden pixels
 * (masked, NaN, infinite) are 0; an aperture that has some is scaled up to its whole area.
 */
#ifndef KERNELS_SKY_SOURCE_H
#define KERNELS_SKY_SOURCE_H

#include "kernels/regions/regions.h"
#include "kernels/common/defined.h"

#include <float.h>

enum { SOURCE_APERTURES = 16 };

/* SEP's. */
enum {
  SOURCE_TRUNCATED = 2, /* at the border of the image */
  SOURCE_SINGULAR = 8,  /* so thin that a twelfth, the variance of a pixel, was added to its moments */
  APERTURE_TRUNCATED = 16,
  APERTURE_MASKED = 32, /* some of it */
  APERTURE_ALL_MASKED = 64,
  KRON_NOT_POSITIVE = 128,
};

/* A plane; pixels of any type. */
typedef struct source_image {
  const void *pixels, *rms;
  const uint8_t *mask;
  fv_type type, rms_type;
  int64_t stride, rms_stride, mask_stride, rows, columns;
  const double *sigma;   /* without rms */
  const double *weights; /* [filter_rows][filter_columns] */
  int filter_rows, filter_columns;
} source_image;

typedef struct source_needs {
  double kron_factor, kron_least; /* of the Kron radius; pixels */
  int apertures;
  double radius[SOURCE_APERTURES];
} source_needs;

/* Columns of the table after its label (and plane). */
typedef enum source_column {
  SOURCE_X,
  SOURCE_Y,
  SOURCE_FLUX,
  SOURCE_FLUX_ERR,
  SOURCE_SNR,
  SOURCE_PEAK,
  SOURCE_AREA,
  SOURCE_A,
  SOURCE_B,
  SOURCE_THETA,
  SOURCE_KRON_RADIUS,
  SOURCE_KRON_FLUX,
  SOURCE_KRON_FLUX_ERR,
  SOURCE_FLAGS,
  SOURCE_FLUXES, /* flux and error of each aperture */
} source_column;

/* ---- Teams ---- */

enum { TEAM_LANES = 32 };
#ifdef __CUDA_ARCH__
#define TEAM_SLOTS 1
#else
#define TEAM_SLOTS TEAM_LANES
#endif

typedef struct source_team {
  int lane, lanes; /* on the CPU 0, 1 */
} source_team;

/* Where the thread keeps the sums of the lane that has pixel i. */
INLINE int
team_slot (int64_t i)
{
  return (int) ((uint64_t) i % TEAM_SLOTS);
}

/* Adds up the lanes' sums, [TEAM_SLOTS][n], by halves, into the first n, for all lanes. */
INLINE void
team_add (double *sums, int n)
{
#ifdef __CUDA_ARCH__
#pragma unroll
  for (int k = 0; k < n; k++)
    for (int d = TEAM_LANES / 2; d; d /= 2)
      sums[k] += __shfl_xor_sync (~0u, sums[k], d);
#else
  for (int d = TEAM_LANES / 2; d; d /= 2)
    for (int k = 0; k < d * n; k++)
      sums[k] += sums[d * n + k];
#endif
}
/* Of structs of doubles. */
#define TEAM_ADD(SUMS) team_add ((double *) (SUMS), (int) (sizeof *(SUMS) / sizeof (double)))

INLINE double
team_largest (double v)
{
#ifdef __CUDA_ARCH__
  for (int d = 16; d; d /= 2) {
    double other = __shfl_xor_sync (~0u, v, d);
    v = other > v ? other : v;
  }
#endif
  return v;
}

/* ---- Pixels ---- */

INLINE double
source_number (const void *pixels, fv_type type, int64_t i)
{
  switch (type) {
  case FV_U8: return ((const uint8_t *) pixels)[i];
  case FV_U16: return ((const uint16_t *) pixels)[i];
  case FV_I32: return ((const int32_t *) pixels)[i];
  case FV_F32: return (double) ((const float *) pixels)[i];
  default: return ((const double *) pixels)[i];
  }
}

/* False where the pixel is hidden; *v is then 0. */
INLINE bool
source_pixel (const source_image *m, int64_t y, int64_t x, double *v)
{
  *v = source_number (m->pixels, m->type, y * m->stride + x);
  if (fabs (*v) <= DBL_MAX && !(m->mask && m->mask[y * m->mask_stride + x]))
    return true;
  *v = 0;
  return false;
}

INLINE double
source_sigma (const source_image *m, int64_t y, int64_t x)
{
  return m->rms ? source_number (m->rms, m->rms_type, y * m->rms_stride + x) : *m->sigma;
}

/* sum + weight * v, rounded alike on all devices. */
INLINE double
source_add (double sum, double weight, double v)
{
#ifdef __CUDA_ARCH__
  return __dadd_rn (sum, __dmul_rn (weight, v));
#else
  return sum + weight * v;
#endif
}

/* Outside the image is 0. */
INLINE double
source_filtered (const source_image *m, int64_t y, int64_t x)
{
  double sum = 0, v;
  for (int j = 0; j < m->filter_rows; j++)
    for (int i = 0; i < m->filter_columns; i++) {
      const int64_t from_y = y + j - m->filter_rows / 2, from_x = x + i - m->filter_columns / 2;
      v = 0;
      if (from_y >= 0 && from_y < m->rows && from_x >= 0 && from_x < m->columns)
        source_pixel (m, from_y, from_x, &v);
      sum = source_add (sum, m->weights[j * m->filter_columns + i], v);
    }
  return sum;
}

/* What a pixel counts in a matched filter: 1 / sigma^2, 0 where it is hidden. A spline can make a sigma below 0, whose square SEP takes, too. */
INLINE double
source_certainty (bool there, double sigma)
{
  const double variance = sigma * sigma;
  return there && variance > 0 && variance <= DBL_MAX ? 1 / variance : 0;
}

/* Whether the signal-to-noise ratio of what looks like the filter is above the threshold. */
INLINE bool
source_matches (const source_image *m, int64_t y, int64_t x, double threshold)
{
  double signal = 0, noise = 0, v;
  for (int j = 0; j < m->filter_rows; j++)
    for (int i = 0; i < m->filter_columns; i++) {
      const int64_t from_y = y + j - m->filter_rows / 2, from_x = x + i - m->filter_columns / 2;
      if (from_y < 0 || from_y >= m->rows || from_x < 0 || from_x >= m->columns)
        continue;
      const double weight = m->weights[j * m->filter_columns + i];
      const bool there = source_pixel (m, from_y, from_x, &v);
      const double certainty = source_certainty (there, source_sigma (m, from_y, from_x));
      signal = source_add (signal, weight, v * certainty);
      noise = source_add (noise, weight * weight, certainty);
    }
  return signal > threshold * sqrt (noise);
}

/* ---- The pixels above the threshold ---- */

typedef struct source_shape {
  double x, y, a, b, theta;
  double cxx, cyy, cxy; /* the ellipse: cxx dx dx + cyy dy dy + cxy dx dy = 1 */
  int flags;
} source_shape;

/* Without the last bits, which are rounding: what lies on the very edge of an aperture does not fall to a side by them. */
INLINE double
source_shared (double v)
{
  return (double) (float) v;
}

INLINE void
source_ellipse (source_shape *s, double xx, double yy, double xy)
{
  if (xx * yy - xy * xy < 0.00694) { /* 1/12 squared */
    xx += 1 / 12.;
    yy += 1 / 12.;
    s->flags |= SOURCE_SINGULAR;
  }
  const double mean = (xx + yy) / 2, half = (xx - yy) / 2, root = sqrt (half * half + xy * xy);
  const bool round = root <= 1e-9 * mean; /* what is left is rounding */
  s->a = sqrt (mean + root);
  s->b = mean >= root ? sqrt (mean - root) : (double) NAN; /* filtered pixels of a matched filter can be negative */
  s->theta = round ? PI / 4 : defined_atan2 (2 * xy, xx - yy) / 2;
  double c, t;
  defined_sincos (s->theta, &t, &c);
  const double aa = 1 / (s->a * s->a), bb = 1 / (s->b * s->b);
  s->cxx = source_shared (c * c * aa + t * t * bb);
  s->cyy = source_shared (t * t * aa + c * c * bb);
  s->cxy = source_shared (2 * c * t * (aa - bb));
}

/* To a billionth of a pixel, for the same reason. */
INLINE double
source_position (double v)
{
  return rint (v * 0x1p30) * 0x1p-30;
}

/* Of a lane. */
typedef struct moment_sums {
  double flux, variance, area, weight, x, y, xx, yy, xy;
} moment_sums;

INLINE void
moment_add (moment_sums *s, double is, double sigma, double c, double u, double v)
{
  s->flux += is;
  s->variance += sigma * sigma;
  s->area++;
  s->weight += c;
  s->x += c * u;
  s->y += c * v;
  s->xx += c * u * u;
  s->yy += c * v * v;
  s->xy += c * u * v;
}

/* Runs of one object; writes column i to values[i * step]. */
INLINE source_shape
source_moments (const source_image *m, const run *runs, int64_t n, source_team team, double *values, int64_t step)
{
  moment_sums sums[TEAM_SLOTS] = {{0}};
  double peak = -HUGE_VAL;
  source_shape s = {0};
  for (int64_t i = 0; i < n; i++) {
    const run r = runs[i];
    const double v = r.y - runs->y; /* from the first pixel, where numbers are small */
    if (r.y == 0 || r.y == m->rows - 1 || r.x0 == 0 || r.x1 == m->columns)
      s.flags = SOURCE_TRUNCATED;
    for (int64_t k = r.x0 + team.lane; k < r.x1; k += team.lanes) {
      const double c = source_filtered (m, r.y, k), sigma = source_sigma (m, r.y, k), u = (double) (k - runs->x0);
      double is;
      source_pixel (m, r.y, k, &is);
      peak = is > peak ? is : peak;
      moment_add (sums + team_slot (k - r.x0), is, sigma, c, u, v);
    }
  }
  TEAM_ADD (sums);
  const double flux = sums->flux, error = sqrt (sums->variance), weight = sums->weight;
  const double x = sums->x / weight, y = sums->y / weight;
  const double xx = sums->xx / weight - x * x, yy = sums->yy / weight - y * y, xy = sums->xy / weight - x * y;
  peak = team_largest (peak) + 0.0; /* no -0 */
  s.x = runs->x0 + source_position (x);
  s.y = runs->y + source_position (y);
  source_ellipse (&s, xx, yy, xy);
  if (team.lane == 0) {
    values[SOURCE_X * step] = s.x;
    values[SOURCE_Y * step] = s.y;
    values[SOURCE_FLUX * step] = flux;
    values[SOURCE_FLUX_ERR * step] = error;
    values[SOURCE_SNR * step] = flux / error;
    values[SOURCE_PEAK * step] = peak;
    values[SOURCE_AREA * step] = sums->area;
    values[SOURCE_A * step] = s.a;
    values[SOURCE_B * step] = s.b;
    values[SOURCE_THETA * step] = s.theta;
  }
  return s;
}

/* ---- Apertures ---- */

/* Pixels from x0, y0 to before x1, y1. */
typedef struct source_box {
  int64_t x0, y0, x1, y1;
  bool truncated;
} source_box;

/* Those with centers at most half a pixel outside what reaches dx and dy to each side. It is truncated as SExtractor and SEP see it: at
 * the first row and column from a whole pixel on. */
INLINE source_box
source_box_of (const source_image *m, const source_shape *s, double dx, double dy)
{
  const double x0 = s->x - dx + 0.5, y0 = s->y - dy + 0.5, x1 = floor (s->x + dx + 1.4999999),
               y1 = floor (s->y + dy + 1.4999999), columns = (double) m->columns, rows = (double) m->rows;
  source_box b = {x0 > 0 ? (int64_t) x0 : 0, y0 > 0 ? (int64_t) y0 : 0, (int64_t) (x1 < columns ? x1 : columns),
                  (int64_t) (y1 < rows ? y1 : rows), x0 <= -1 || y0 <= -1 || x1 > columns || y1 > rows};
  return b;
}

INLINE double
source_distance (const source_shape *s, double dx, double dy)
{
  return s->cxx * dx * dx + s->cyy * dy * dy + s->cxy * dx * dy;
}

/* The box of the ellipse with axes r times those of the source. */
INLINE source_box
source_ellipse_box (const source_image *m, const source_shape *s, double r)
{
  const double x = s->cxx - s->cxy * s->cxy / (4 * s->cyy), y = s->cyy - s->cxy * s->cxy / (4 * s->cxx);
  return source_box_of (m, s, x > 0 ? r / sqrt (x) : 0, y > 0 ? r / sqrt (y) : 0);
}

/* Of a lane. */
typedef struct source_sum {
  double flux, variance, area, hidden, touched; /* hidden: area of hidden pixels; touched: number of them */
} source_sum;

INLINE void
source_sum_add (source_sum *s, const source_image *m, int64_t y, int64_t x, double part)
{
  double v, sigma = source_sigma (m, y, x);
  s->area += part;
  if (source_pixel (m, y, x, &v)) {
    s->flux += part * v;
    s->variance += part * sigma * sigma;
  } else {
    s->hidden += part;
    s->touched++;
  }
}

/* Of all lanes, [TEAM_SLOTS]; returns flags. */
INLINE int
source_sum_end (source_sum *s, const source_box *b, double *flux, double *error)
{
  TEAM_ADD (s);
  const double up = s->area / (s->area - s->hidden); /* NaN where all is hidden */
  *flux = s->flux * up;
  *error = sqrt (s->variance * up);
  return (b->truncated ? APERTURE_TRUNCATED : 0) | (s->touched > 0 ? APERTURE_MASKED : 0)
         | (s->hidden >= s->area ? APERTURE_ALL_MASKED : 0);
}

/* How many of the 5 x 5 samples of the pixel at dx, dy are in the circle. Samples exactly on the edge count as in SEP, which steps by a
 * fifth. */
INLINE int
source_samples (double dx, double dy, double radius)
{
  int inside = 0;
  double v = dy - 0.4;
  for (int j = 0; j < 5; j++, v += 0.2) {
    double u = dx - 0.4;
    for (int i = 0; i < 5; i++, u += 0.2)
      inside += source_add (source_add (0, u, u), v, v) < radius * radius;
  }
  return inside;
}

/* How far from its center a pixel can reach, as SEP has it. */
#define SOURCE_CORNER 0.7072

/* Each pixel's part in the circle. */
INLINE int
source_circle (const source_image *m, const source_shape *s, double radius, source_team team, double *flux,
               double *error)
{
  const source_box b = source_box_of (m, s, radius, radius);
  const int64_t width = b.x1 - b.x0, n = width > 0 && b.y1 > b.y0 ? width * (b.y1 - b.y0) : 0;
  source_sum sums[TEAM_SLOTS] = {{0}};
  for (int64_t i = team.lane; i < n; i += team.lanes) {
    const int64_t y = b.y0 + i / width, x = b.x0 + i % width;
    const double dx = (double) x - s->x, dy = (double) y - s->y, away = sqrt (dx * dx + dy * dy);
    if (away < radius + SOURCE_CORNER)
      source_sum_add (sums + team_slot (i), m, y, x,
                      away < radius - SOURCE_CORNER ? 1 : source_samples (dx, dy, radius) / 25.);
  }
  return source_sum_end (sums, &b, flux, error);
}

/* Pixels whose centers are in the circle, or in the ellipse of r times the source's axes; others that it touches, without a part. */
INLINE int
source_centers (const source_image *m, const source_shape *s, bool circle, double r, source_team team, double *flux,
                double *error)
{
  const source_box b = circle ? source_box_of (m, s, r, r) : source_ellipse_box (m, s, r);
  const int64_t width = b.x1 - b.x0, n = width > 0 && b.y1 > b.y0 ? width * (b.y1 - b.y0) : 0;
  const double touched = r + SOURCE_CORNER / (circle ? 1 : s->b);
  source_sum sums[TEAM_SLOTS] = {{0}};
  for (int64_t i = team.lane; i < n; i += team.lanes) {
    const int64_t y = b.y0 + i / width, x = b.x0 + i % width;
    const double dx = (double) x - s->x, dy = (double) y - s->y;
    const double away = circle ? source_add (source_add (0, dx, dx), dy, dy) : source_distance (s, dx, dy);
    if (away < touched * touched)
      source_sum_add (sums + team_slot (i), m, y, x, circle ? away < r * r : away <= r * r);
  }
  return source_sum_end (sums, &b, flux, error);
}

/* Of a lane. */
typedef struct kron_sums {
  double moment, flux, hidden;
} kron_sums;

/* R. G. Kron, ApJS 43 (1980) 305: the mean of the distance, in axes of the source, weighted with the flux, out to 6 of them. */
INLINE double
source_kron_radius (const source_image *m, const source_shape *s, source_team team, int *flags)
{
  const double r = 6;
  const source_box b = source_ellipse_box (m, s, r);
  const int64_t width = b.x1 - b.x0, n = width * (b.y1 - b.y0);
  kron_sums sums[TEAM_SLOTS] = {{0}};
  double v;
  for (int64_t i = team.lane; i < n; i += team.lanes) {
    const int64_t y = b.y0 + i / width, x = b.x0 + i % width;
    const double away = source_distance (s, (double) x - s->x, (double) y - s->y);
    if (!(away <= r * r))
      continue;
    kron_sums *own = sums + team_slot (i);
    own->hidden += source_pixel (m, y, x, &v) ? 0 : 1;
    own->moment += sqrt (away) * v;
    own->flux += v;
  }
  TEAM_ADD (sums);
  *flags = (b.truncated ? APERTURE_TRUNCATED : 0) | (sums->hidden > 0 ? APERTURE_MASKED : 0);
  if (sums->moment > 0 && sums->flux > 0)
    return sums->moment / sums->flux;
  *flags |= KRON_NOT_POSITIVE;
  return 0;
}

/* Writes column i to values[i * step]. */
INLINE void
source_measure (const source_image *m, const source_needs *needs, const run *runs, int64_t n, source_team team,
                double *values, int64_t step)
{
  const source_shape s = source_moments (m, runs, n, team, values, step);
  int flags;
  double flux, error;
  const double kron = source_kron_radius (m, &s, team, &flags);
  const bool circle = !(kron * sqrt (s.a * s.b) >= needs->kron_least);
  flags |=
    s.flags
    | source_centers (m, &s, circle, circle ? needs->kron_least : needs->kron_factor * kron, team, &flux, &error);
  if (team.lane == 0) {
    values[SOURCE_KRON_RADIUS * step] = kron;
    values[SOURCE_KRON_FLUX * step] = flux;
    values[SOURCE_KRON_FLUX_ERR * step] = error;
  }
  for (int i = 0; i < needs->apertures; i++) {
    flags |= source_circle (m, &s, needs->radius[i], team, &flux, &error);
    if (team.lane == 0) {
      values[(SOURCE_FLUXES + 2 * i) * step] = flux;
      values[(SOURCE_FLUXES + 2 * i + 1) * step] = error;
    }
  }
  if (team.lane == 0)
    values[SOURCE_FLAGS * step] = flags;
}

#endif
