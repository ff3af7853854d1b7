/* SPDX-License-Identifier: MIT
 *
 * Hulls in a plane: monotone chains over the rows (A. M. Andrew, Another efficient algorithm for convex hulls in two
 * dimensions, Inf. Process. Lett. 9 (1979)). Which pixels lie inside is decided by exact division.
 */
#include "common_region_hull.h"

/* Adds a point below or beside the chain's last; side 1: right chain, -1: left chain. Points on a straight line between
 * others are left out. */
static inline void
chain_add (hull_point *chain, int64_t *n, int64_t y, int64_t x, int side)
{
  int64_t k = *n;
  if (k && chain[k - 1].y == y) {
    if (side * (x - chain[k - 1].x) <= 0)
      return;
    k--;
  }
  while (k >= 2) {
    hull_point a = chain[k - 2], b = chain[k - 1];
    if (side * ((b.x - a.x) * (y - a.y) - (x - a.x) * (b.y - a.y)) > 0)
      break;
    k--;
  }
  chain[k] = (hull_point){y, x};
  *n = k + 1;
}

static inline void
add_row (hull *h, int64_t y, int64_t left, int64_t right)
{
  chain_add (h->left, &h->n_left, y, left, -1);
  chain_add (h->right, &h->n_right, y, right, 1);
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
    switch (pixel) {
    case HULL_CENTRE: add_row (h, y, left, right); break;
    case HULL_SQUARE:
      add_row (h, y - 1, left - 1, right + 1);
      add_row (h, y + 1, left - 1, right + 1);
      break;
    case HULL_DIAMOND:
      add_row (h, y - 1, left, right);
      add_row (h, y, left - 1, right + 1);
      add_row (h, y + 1, left, right);
    }
  }
}

static inline int64_t
floor_div (int64_t a, int64_t b)
{
  return a / b - (a % b < 0);
}

/* Greatest column 2x <= the chain's at level y; for a left chain negated, with sign = -1. */
static inline int64_t
chain_floor (const hull_point *chain, int64_t n, int64_t *at, int64_t y, int sign)
{
  while (*at + 1 < n && chain[*at + 1].y <= y)
    (*at)++;
  hull_point a = chain[*at];
  if (a.y == y)
    return floor_div (sign * a.x, 2);
  hull_point b = chain[*at + 1];
  return floor_div (sign * (a.x * (b.y - a.y) + (b.x - a.x) * (y - a.y)), 2 * (b.y - a.y));
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
  int64_t n = hull_points (h);
  double twice = 0;
  for (int64_t i = 0; i < n; i++) {
    hull_point a = hull_at (h, i), b = hull_at (h, i + 1 < n ? i + 1 : 0);
    twice += (double) (a.x * b.y - b.x * a.y);
  }
  return fabs (twice) / 8;
}

double
hull_diameter (const hull *h, double dy, double dx, double *angle)
{
  int64_t n = hull_points (h);
  double most = -1, of_y = 0, of_x = 0;
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = i + 1; j < n; j++) {
      hull_point a = hull_at (h, i), b = hull_at (h, j);
      double y = (double) (b.y - a.y) * dy, x = (double) (b.x - a.x) * dx, d = y * y + x * x;
      if (d > most)
        most = d, of_y = y, of_x = x;
    }
  if (angle) {
    *angle = atan2 (-of_y, of_x) * 180 / PI;
    *angle += *angle < 0 ? 180 : *angle >= 180 ? -180 : 0;
  }
  return sqrt (most) / 2;
}

double
hull_width (const hull *h, double dy, double dx)
{
  int64_t n = hull_points (h);
  double least = INFINITY;
  for (int64_t i = 0; i < n; i++) {
    hull_point a = hull_at (h, i), b = hull_at (h, i + 1 < n ? i + 1 : 0);
    double y = (double) (b.y - a.y) * dy, x = (double) (b.x - a.x) * dx, length = sqrt (y * y + x * x), most = 0;
    for (int64_t j = 0; length > 0 && j < n; j++) {
      hull_point c = hull_at (h, j);
      most = fmax (most, fabs (x * (double) (c.y - a.y) * dy - y * (double) (c.x - a.x) * dx));
    }
    if (length > 0)
      least = fmin (least, most / length);
  }
  return least / 2;
}
