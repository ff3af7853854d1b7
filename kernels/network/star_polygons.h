/* SPDX-License-Identifier: MIT
 *
 * Star-convex polygons: a center and the distances to the outline along 32 rays, ray k at 2 pi k / 32 from the direction of x to that of y. Of polygons that
 * overlap, the one with the highest probability is kept. Polygons are compared as sets of pixels, and all coordinates are integers, so that every device
 * and processor keeps the same ones.
 * U. Schmidt, M. Weigert, C. Broaddus, G. Myers, Cell Detection with Star-Convex Polygons, MICCAI 2018.
 */
#ifndef KERNELS_NETWORK_STAR_POLYGONS_H
#define KERNELS_NETWORK_STAR_POLYGONS_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  STAR_RAYS = 32,
  STAR_UNIT = 64,    /* of coordinates and distances in a pixel */
  STAR_LONGEST = 512 /* pixels, of a ray */
};

typedef struct star {
  int32_t y, x; /* pixels */
  float probability;
  int32_t reach[STAR_RAYS]; /* in units of 1/64 of a pixel, 0 to 64 * STAR_LONGEST */
} star;

/* Vertices in units of 1/64 of a pixel, and the pixels whose centers may lie inside. */
typedef struct star_polygon {
  int32_t y[STAR_RAYS], x[STAR_RAYS];
  int32_t top, bottom; /* rows, both included; top > bottom: none */
} star_polygon;

/* The distance of a ray in units; NaN is 0. */
INLINE int32_t
star_reach (float pixels)
{
  return pixels > 0 ? (int32_t) rintf ((pixels < STAR_LONGEST ? pixels : (float) STAR_LONGEST) * STAR_UNIT) : 0;
}

/* An edge of a polygon from its upper end down. */
typedef struct star_edge {
  int64_t ya, yb, xa, xb;
} star_edge;

INLINE star_edge
star_edge_of (const star_polygon *p, int i)
{
  const int j = (i + 1) % STAR_RAYS, above = p->y[i] <= p->y[j] ? i : j, below = above == i ? j : i;
  return (star_edge){p->y[above], p->y[below], p->x[above], p->x[below]};
}

/* Whether the edge crosses the centers of the pixels of a row; then *column is the first one at or behind the crossing. */
INLINE bool
star_crossing (const star_edge *e, int64_t row, int32_t *column)
{
  const int64_t at = row * STAR_UNIT;
  if (at < e->ya || at >= e->yb)
    return false;
  const int64_t height = STAR_UNIT * (e->yb - e->ya), v = e->xa * (e->yb - e->ya) + (at - e->ya) * (e->xb - e->xa);
  *column = (int32_t) (v >= 0 ? (v + height - 1) / height : -(-v / height));
  return true;
}

/* Puts a column into n sorted ones. */
INLINE void
star_insert (int32_t *columns, int n, int32_t column)
{
  int k = n;
  for (; k > 0 && columns[k - 1] > column; k--)
    columns[k] = columns[k - 1];
  columns[k] = column;
}

/* Where the outline crosses the centers of the pixels of a row, sorted: from[2 i] to from[2 i + 1] - 1 are the columns inside. Returns their number. */
INLINE int
star_crossings (const star_polygon *p, int32_t row, int32_t *from)
{
  int n = 0;
  int32_t column;
  for (int i = 0; i < STAR_RAYS; i++) {
    const star_edge e = star_edge_of (p, i);
    if (star_crossing (&e, row, &column))
      star_insert (from, n++, column);
  }
  return n;
}

/* The polygon of a star in an image that is `scale` times smaller than that of the star, with `more` pixels of that image added to each distance after it
 * was multiplied by `factor`. */
star_polygon star_outline (const star *s, double scale, double factor, double more);

/* A star that was kept. */
typedef struct star_kept {
  star star;
  int64_t pixels; /* of its polygon */
} star_kept;

/* Sorts n stars by their probabilities, then by row and column. Keeps each that shares at most the fraction `overlap` of the smaller one's pixels
 * with each one kept before, and drops stars without a pixel. The stars lie in an image of that size. *kept: n_kept of them, to be freed by free(). FV_NO_MEMORY. */
fv_status stars_keep (star *stars, int64_t n, int64_t rows, int64_t columns, double overlap, star_kept **kept,
                      int64_t *n_kept, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
