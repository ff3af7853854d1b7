/* SPDX-License-Identifier: MIT
 *
 * Convex hulls of objects, exact in integers. A plane's hull is two chains, left and right, from the rows' ends. All
 * coordinates are doubled and counted from the bounding box's corner: a pixel's center is (2y, 2x).
 */
#ifndef KERNELS_REGIONS_REGION_HULL_H
#define KERNELS_REGIONS_REGION_HULL_H

#include "kernels/regions/region_moments.h"
#include "kernels/common/defined.h"

typedef struct hull_point {
  int32_t y, x;
} hull_point;

typedef struct hull {
  hull_point *left, *right; /* room: hull_room (rows) each; from the top down */
  int64_t n_left, n_right;
} hull;

/* The points of a pixel: its center, the middles of its four sides (as in scikit-image), or its corners (ImageJ). */
typedef enum hull_pixel { HULL_CENTER, HULL_DIAMOND, HULL_SQUARE } hull_pixel;

static inline int64_t
hull_room (int64_t rows)
{
  return 2 * rows + 1;
}

INLINE int64_t
hull_points (const hull *h)
{
  return h->n_left + h->n_right;
}

/* Points in the order of the outline; the top one and the bottom one may come twice. */
INLINE hull_point
hull_at (const hull *h, int64_t i)
{
  return i < h->n_left ? h->left[i] : h->right[h->n_left + h->n_right - 1 - i];
}

/* Adds a point below or beside the chain's last; side 1: right chain, -1: left chain. Points on a straight line between
 * others are left out. */
INLINE void
chain_add (hull_point *chain, int64_t *n, int64_t y, int64_t x, int side)
{
  int64_t k = *n;
  if (k && chain[k - 1].y == y) {
    if (side * (x - chain[k - 1].x) <= 0)
      return;
    k--;
  }
  for (; k >= 2; k--) {
    hull_point a = chain[k - 2], b = chain[k - 1];
    if (side * (((int64_t) b.x - a.x) * (y - a.y) - (x - a.x) * ((int64_t) b.y - a.y)) > 0)
      break;
  }
  chain[k].y = (int32_t) y, chain[k].x = (int32_t) x;
  *n = k + 1;
}

/* Adds one end, `x` in doubled coordinates, of the row at 2y. */
INLINE void
chain_add_row (hull_point *chain, int64_t *n, int64_t y, int64_t x, int side, hull_pixel pixel)
{
  switch (pixel) {
  case HULL_CENTER: chain_add (chain, n, y, x, side); break;
  case HULL_SQUARE:
    chain_add (chain, n, y - 1, x + side, side);
    chain_add (chain, n, y + 1, x + side, side);
    break;
  case HULL_DIAMOND:
    chain_add (chain, n, y - 1, x, side);
    chain_add (chain, n, y, x + side, side);
    chain_add (chain, n, y + 1, x, side);
  }
}

/* Greatest column whose 2x is not beyond the chain at level y; for a left chain negated, with sign = -1. *at: a point
 * of the chain at or above y; moves on. */
INLINE int64_t
chain_floor (const hull_point *chain, int64_t n, int64_t *at, int64_t y, int sign)
{
  while (*at + 1 < n && chain[*at + 1].y <= y)
    (*at)++;
  hull_point a = chain[*at];
  int64_t over = sign * (int64_t) a.x, under = 2;
  if (a.y != y) {
    hull_point b = chain[*at + 1];
    over = sign * ((int64_t) a.x * ((int64_t) b.y - a.y) + ((int64_t) b.x - a.x) * (y - a.y));
    under = 2 * ((int64_t) b.y - a.y);
  }
  return over / under - (over % under < 0);
}

/* Square of the distance of two points, doubled coordinates. */
INLINE double
hull_distance (hull_point a, hull_point b, double dy, double dx)
{
  double y = ((double) b.y - a.y) * dy, x = ((double) b.x - a.x) * dx;
  return product (y, y) + product (x, x);
}

/* Angle in degrees of the line from a to b, counter-clockwise from the x axis. */
INLINE double
hull_angle (hull_point a, hull_point b, double dy, double dx)
{
  double angle = defined_atan2 (-((double) b.y - a.y) * dy, ((double) b.x - a.x) * dx) * 180 / PI;
  return angle + (angle < 0 ? 180 : angle >= 180 ? -180 : 0);
}

/* How far the hull reaches from its side i; infinite when that has no length. */
INLINE double
hull_reach (const hull *h, int64_t i, double dy, double dx)
{
  int64_t n = hull_points (h);
  hull_point a = hull_at (h, i), b = hull_at (h, i + 1 < n ? i + 1 : 0);
  double length = sqrt (hull_distance (a, b, dy, dx)), most = 0;
  double y = ((double) b.y - a.y) * dy, x = ((double) b.x - a.x) * dx;
  if (!(length > 0))
    return INFINITY;
  for (int64_t j = 0; j < n; j++) {
    hull_point c = hull_at (h, j);
    most = fmax (most, fabs (product (x, ((double) c.y - a.y) * dy) - product (y, ((double) c.x - a.x) * dx)));
  }
  return most / length;
}

/* Twice the signed area between side i and the origin, doubled coordinates. */
INLINE int64_t
hull_wedge (const hull *h, int64_t i)
{
  hull_point a = hull_at (h, i), b = hull_at (h, i + 1 < hull_points (h) ? i + 1 : 0);
  return (int64_t) a.x * b.y - (int64_t) b.x * a.y;
}

#ifdef __cplusplus
extern "C" {
#endif

/* Hull of n runs of one plane, in raster order, empty ones left out; low: z, y, x of the box's corner. */
void hull_build (hull *h, const run *runs, int64_t n, const int32_t low[3], hull_pixel pixel);

/* Pixels whose centers are in the hull, its border included; `rows` of the bounding box. fill: NULL, or room for one
 * run for each row, counted from the corner. */
int64_t hull_fill (const hull *h, int64_t rows, run *fill);

/* Area in pixels. */
double hull_area (const hull *h);

/* Largest distance of two points, and the angle in degrees of the line, counter-clockwise from the x axis. */
double hull_diameter (const hull *h, double dy, double dx, double *angle);

/* Smallest distance of two parallel lines that hold the hull between them. */
double hull_width (const hull *h, double dy, double dx);

/* ---- In three dimensions ---- */

/* An object's sides are below this: faces and points are numbered in 32 bits, and products are exact in double precision. */
enum { HULL3_MAX_SIDE = 10000 };

/* Whether an object's bounding box is small enough. */
fv_status hull3_check (const region *o, fv_error *error);

/* Bytes that hull3_volume needs. */
size_t hull3_bytes (const region *o);

/* Voxels whose centers are in the convex hull of the face centers of all voxels, its border included.
 * - feret: NULL, or the largest distance of two centers of faces between those voxels and the rest.
 * - memory: hull3_bytes. */
int64_t hull3_volume (const region *o, void *memory, const double spacing[3], double *feret);

#ifdef __cplusplus
}
#endif
#endif
