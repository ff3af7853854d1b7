/* SPDX-License-Identifier: MIT
 *
 * Convex hulls of objects, exact in integers. A plane's hull is two chains, left and right, from the rows' ends. All
 * coordinates are doubled and counted from the bounding box's corner: a pixel's centre is (2y, 2x).
 */
#ifndef KERNELS_COMMON_REGION_HULL_H
#define KERNELS_COMMON_REGION_HULL_H

#include "common_regions.h"

typedef struct hull_point {
  int64_t y, x;
} hull_point;

typedef struct hull {
  hull_point *left, *right; /* room: hull_room (rows) each; from the top down */
  int64_t n_left, n_right;
} hull;

/* What stands for a pixel: its centre, the middles of its four sides (as in scikit-image), its corners (ImageJ). */
typedef enum hull_pixel { HULL_CENTRE, HULL_DIAMOND, HULL_SQUARE } hull_pixel;

static inline int64_t
hull_room (int64_t rows)
{
  return 2 * rows + 1;
}

static inline int64_t
hull_points (const hull *h)
{
  return h->n_left + h->n_right;
}

/* Points in the order of the outline; the top one and the bottom one may come twice. */
static inline hull_point
hull_at (const hull *h, int64_t i)
{
  return i < h->n_left ? h->left[i] : h->right[h->n_left + h->n_right - 1 - i];
}

/* Hull of n runs of one plane, in raster order, empty ones left out; low: z, y, x of the box's corner. */
void hull_build (hull *h, const run *runs, int64_t n, const int32_t low[3], hull_pixel pixel);

/* Pixels whose centres are in the hull, its border included; `rows` of the bounding box. fill: NULL, or room for one
 * run for each row, counted from the corner. */
int64_t hull_fill (const hull *h, int64_t rows, run *fill);

/* Area in pixels. */
double hull_area (const hull *h);

/* Largest distance of two points, and the angle in degrees of the line, counter-clockwise from the x axis. */
double hull_diameter (const hull *h, double dy, double dx, double *angle);

/* Smallest distance of two parallel lines that hold the hull between them. */
double hull_width (const hull *h, double dy, double dx);

/* ---- In three dimensions ---- */

/* Bytes that hull3_volume needs for an object with this bounding box. */
size_t hull3_bytes (const int32_t size[3]);

/* Voxels whose centres are in the convex hull of the middles of all voxels' faces, its border included. feret: NULL, or
 * the largest distance of two middles of faces between those voxels and the rest. memory: hull3_bytes. */
int64_t hull3_volume (const region *o, void *memory, const double spacing[3], double *feret);

#endif
