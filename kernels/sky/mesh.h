/* SPDX-License-Identifier: MIT
 *
 * The background of an image as SExtractor models it, for both devices: a mesh of boxes, of each the mode and the deviation of its
 * pixels, both smooth between the centers of boxes. Of a box: pixels beyond two deviations of the mean are left out; the others set
 * mean and deviation, about which up to 4096 levels span ten deviations. The histogram over these is clipped at its median +- 3
 * deviations until the deviation stands; the mode is 2.5 median - 1.5 mean, or, where these are 0.3 deviations apart (a crowded
 * field), the median. E. Bertin, S. Arnouts, A&AS 117 (1996) 393. What that leaves open is exactly as in SEP 1.4. A row lies at
 * y / height - 1/2 of the mesh, a column at (x + 1/2) / width - 1/2. Second derivatives of the spline come from the recurrence below; a mesh of one
 * row has none along rows.
 */
#ifndef KERNELS_SKY_MESH_H
#define KERNELS_SKY_MESH_H

#include "kernels/sky/spread.h"

enum { MESH_LEVELS = 4096, MESH_TURNS = 100 };

/* ---- Mean and deviation of a box ---- */

/* Which pixels of a box are summed. */
typedef struct mesh_box {
  double low, high;
  spread about;
  bool clipped; /* to two deviations of the mean */
} mesh_box;

typedef struct mesh_sums {
  int64_t n;
  spread_sums sums;
  double low, high; /* the smallest and the largest */
} mesh_sums;

/* Of pixels from low to high; first: the first that counts. */
INLINE mesh_box
mesh_box_begin (double low, double high, double first)
{
  mesh_box b = {low, high, {0, 0, 0, 0, 0, 0}, false};
  spread_begin (&b.about, low, high, first);
  return b;
}

/* After a pass; false: another one is needed. */
INLINE bool
mesh_box_take (mesh_box *b, const mesh_sums *s)
{
  spread *about = &b->about;
  if (!spread_take (about, &s->sums, (double) s->n, s->low, s->high))
    return false;
  if (b->clipped)
    return true;
  b->clipped = true;
  b->low = fmax (s->low, about->mean - 2 * about->sigma);
  b->high = fmin (s->high, about->mean + 2 * about->sigma);
  spread_begin (about, b->low, b->high, about->mean);
  return false;
}

/* ---- The levels of a box ---- */

typedef struct mesh_levels {
  int n;
  double width, zero; /* level i is about zero + i * width */
} mesh_levels;

/* n: pixels from which mean and sigma are. */
INLINE mesh_levels
mesh_levels_of (int64_t n, double mean, double sigma)
{
  const double wanted = sqrt (0.63661977236758134308) * 5 / 4 * (double) n + 1; /* root of 2/pi */
  mesh_levels l = {wanted < MESH_LEVELS ? (int) wanted : MESH_LEVELS, 1, mean - 5 * sigma};
  if (sigma > 0)
    l.width = 10 * sigma / l.n;
  return l;
}

/* The level of a pixel, or -1. */
INLINE int
mesh_level (const mesh_levels *l, double v)
{
  double at = (v - l->zero) / l->width + 0.499999;
  return at > -1 && at < l->n ? (int) at : -1;
}

/* ---- The mode of a histogram ---- */

/* Levels from low to high are kept. */
typedef struct mesh_mode {
  int low, high, turn;
  double mean, median, sigma, before; /* in levels; before: sigma of the last turn */
} mesh_mode;

/* What a turn needs of the counts of the kept levels. */
typedef struct mesh_counts {
  double n, sum, squares; /* of pixels, of levels */
  /* The walks from both ends meet after level `middle`, the last one with less before and up to it together than n. below: pixels up to it;
   * fuller: those of the fuller of the two levels there. */
  int middle;
  double below, fuller;
} mesh_counts;

INLINE mesh_mode
mesh_mode_begin (const mesh_levels *l)
{
  mesh_mode m = {0, l->n - 1, 0, 0, 0, 10. * l->n, 1};
  return m;
}

INLINE bool
mesh_mode_goes_on (const mesh_mode *m)
{
  return m->turn < MESH_TURNS && m->sigma >= 0.1 && fabs (m->sigma / m->before - 1) > 1e-4;
}

INLINE void
mesh_mode_turn (mesh_mode *m, const mesh_levels *l, const mesh_counts *c)
{
  double variance;
  m->turn++;
  m->before = m->sigma;
  m->median = c->middle < 0 ? 0 : c->middle + 0.5 + (c->n - 2 * c->below) / (2 * c->fuller);
  m->mean = c->n > 0 ? c->sum / c->n : 0;
  variance = c->n > 0 ? c->squares / c->n - m->mean * m->mean : 0;
  m->sigma = variance > 0 ? sqrt (variance) : 0;
  const double low = m->median - 3 * m->sigma, high = m->median + 3 * m->sigma;
  m->low = low > 0 ? (int) (low + 0.5) : 0;
  m->high = high < l->n - 1 ? (int) (high + 0.5) : l->n - 1;
}

INLINE double
mesh_mode_value (const mesh_mode *m, const mesh_levels *l)
{
  const bool crowded = fabs (m->mean - m->median) >= 0.3 * m->sigma;
  return l->zero + l->width * (m->sigma == 0 ? m->mean : crowded ? m->median : 2.5 * m->median - 1.5 * m->mean);
}

/* ---- Between boxes ---- */

/* Factors of the recurrence for up to n nodes. */
INLINE void
mesh_factors (double *factor, int64_t n)
{
  factor[0] = 0;
  for (int64_t k = 1; k < n; k++)
    factor[k] = -1 / (4 + factor[k - 1]);
}

/* What bends the line through n nodes: its second derivatives / 6. */
INLINE void
mesh_bend (double *bend, const double *v, int64_t n, int64_t step, const double *factor)
{
  bend[0] = 0;
  for (int64_t k = 1; k < n - 1; k++) {
    const double *at = v + k * step;
    bend[k * step] = factor[k] * (bend[(k - 1) * step] - 6 * (at[step] + at[-step] - 2 * at[0]));
  }
  bend[(n - 1) * step] = 0;
  for (int64_t k = n - 2; k > 0; k--)
    bend[k * step] = (factor[k] * bend[(k + 1) * step] + bend[k * step]) / 6;
}

/* The node before pixel x of a row, of n > 1. */
INLINE int64_t
mesh_column_node (int64_t x, int64_t width, int64_t n)
{
  const int64_t from = x - width / 2;
  if (from < width)
    return 0;
  const int64_t k = from >> 31 ? from / width : (int64_t) ((uint32_t) from / (uint32_t) width);
  return k < n - 2 ? k : n - 2;
}

/* How far behind its node pixel x lies, in halves of pixels. */
INLINE int
mesh_column_position (int64_t x, int64_t width, int64_t node)
{
  return (int) (2 * (x - node * width) + 1 - width);
}

/* The node before position t, of n > 1. */
INLINE int64_t
mesh_node (double t, int64_t n)
{
  return t < 0 ? 0 : t < (double) (n - 2) ? (int64_t) t : n - 2;
}

/* At t from node 0 to node 1. */
INLINE double
mesh_between (double v0, double v1, double bend0, double bend1, double t)
{
  const double s = 1 - t;
  return s * v0 + t * v1 + (s * s * s - s) * bend0 + (t * t * t - t) * bend1;
}

/* A node of row y of the image: v and bends along columns of the mesh are at its column, rows `step` apart. */
INLINE double
mesh_row_node (const double *v, const double *bend, int64_t n, int64_t step, int64_t y, int64_t height)
{
  if (n == 1)
    return *v;
  const double t = (double) y / (double) height - 0.5;
  const int64_t k = mesh_node (t, n), at = k * step;
  return mesh_between (v[at], v[at + step], bend[at], bend[at + step], t - (double) k);
}

#endif
