/* SPDX-License-Identifier: MIT
 *
 * Hulls in a plane: monotone chains over the rows (A. M. Andrew, Another efficient algorithm for convex hulls in two
 * dimensions, Inf. Process. Lett. 9 (1979)). Which pixels lie inside is decided by exact division.
 */
#include "kernels/regions/region_hull.h"

static inline void
add_row (hull *h, int64_t y, int64_t left, int64_t right, hull_pixel pixel)
{
  chain_add_row (h->left, &h->n_left, y, left, -1, pixel);
  chain_add_row (h->right, &h->n_right, y, right, 1, pixel);
}

void
hull_build (hull *h, const run *runs, int64_t n, const int32_t low[3], hull_pixel pixel)
{
  h->n_left = h->n_right = 0;
  for (int64_t i = 0; i < n; i++) {
    int64_t y = 2 * ((int64_t) runs[i].y - low[1]), left = 2 * ((int64_t) runs[i].x0 - low[2]);
    if (runs[i].x1 <= runs[i].x0)
      continue;
    while (i + 1 < n && runs[i + 1].y == runs[i].y)
      i++;
    int64_t right = 2 * ((int64_t) runs[i].x1 - 1 - low[2]);
    add_row (h, y, left, right, pixel);
  }
}

int64_t
hull_fill (const hull *h, int64_t rows, run *fill)
{
  int64_t pixels = 0, at_left = 0, at_right = 0;
  for (int64_t y = 0; y < rows; y++) {
    int64_t x0 = -chain_floor (h->left, h->n_left, &at_left, 2 * y, -1);
    int64_t x1 = chain_floor (h->right, h->n_right, &at_right, 2 * y, 1) + 1;
    if (x1 <= x0)
      x1 = x0;
    pixels += x1 - x0;
    if (fill)
      fill[y] = (run){.y = (int32_t) y, .x0 = (int32_t) x0, .x1 = (int32_t) x1};
  }
  return pixels;
}

double
hull_area (const hull *h)
{
  double twice = 0;
  for (int64_t i = 0; i < hull_points (h); i++)
    twice += (double) hull_wedge (h, i);
  return fabs (twice) / 8;
}

double
hull_diameter (const hull *h, double dy, double dx, double *angle)
{
  int64_t n = hull_points (h);
  hull_point from = hull_at (h, 0), to = from;
  double most = -1;
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = i + 1; j < n; j++) {
      double d = hull_distance (hull_at (h, i), hull_at (h, j), dy, dx);
      if (d > most)
        most = d, from = hull_at (h, i), to = hull_at (h, j);
    }
  if (angle)
    *angle = hull_angle (from, to, dy, dx);
  return sqrt (most) / 2;
}

double
hull_width (const hull *h, double dy, double dx)
{
  double least = INFINITY;
  for (int64_t i = 0; i < hull_points (h); i++)
    least = fmin (least, hull_reach (h, i, dy, dx));
  return least / 2;
}
