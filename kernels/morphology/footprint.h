/* SPDX-License-Identifier: MIT
 *
 * footprints: the neighborhoods of morphology, cut into boxes that a running minimum or maximum can be made of. Where
 * m has the extrema over boxes of some width, m[x] and m[x + d] together have those of boxes that are d wider, for d
 * up to the width; heights grow likewise. So boxes come by width, and a few steps lead from each to the next.
 * Definitions: skimage.morphology disk, footprint_rectangle, diamond, octagon, ball, octahedron. A matrix of even size
 * lies as in skimage.morphology.erosion: element i of n has the offset i - (n - 1) / 2, rounded down.
 */
#ifndef KERNELS_MORPHOLOGY_FOOTPRINT_H
#define KERNELS_MORPHOLOGY_FOOTPRINT_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FOOTPRINT_RADIUS_MAX 100

typedef enum footprint_shape {
  FOOTPRINT_DISK,
  FOOTPRINT_SQUARE,
  FOOTPRINT_DIAMOND,
  FOOTPRINT_OCTAGON,
  FOOTPRINT_BALL,
  FOOTPRINT_CUBE,
  FOOTPRINT_OCTAHEDRON,
  FOOTPRINT_MATRIX,
  FOOTPRINT_IMAGEJ, /* the circle of ImageJ's rank filters; not among the choices of morphology */
} footprint_shape;

#define FOOTPRINT_CHOICES                                                                                              \
  {"disk", "Disk", "All pixels whose centers lie within the radius."},                                                 \
    {"square", "Square", "2 × radius + 1 pixels a side."},                                                             \
    {"diamond", "Diamond", "All pixels that can be reached with radius steps along rows and columns."},                \
    {"octagon", "Octagon", "The most regular octagon that is 2 × radius + 1 pixels wide."},                            \
    {"ball", "Ball (3-D)", "All voxels whose centers lie within the radius."},                                         \
    {"cube", "Cube (3-D)", "2 × radius + 1 voxels a side."},                                                           \
    {"octahedron", "Octahedron (3-D)", "All voxels that can be reached with radius steps along the axes."},            \
  {                                                                                                                    \
    "matrix", "Matrix", "As typed: what is not zero belongs to the footprint."                                         \
  }

typedef struct footprint_spec {
  footprint_shape shape;
  int32_t radius;          /* of all but a matrix */
  const fv_matrix *matrix; /* of a matrix */
} footprint_spec;

/* The pixels from (z + dz, y + dy, x + dx) on. */
typedef struct footprint_box {
  int32_t dz, dy, dx, height, width;
} footprint_box;

/* One pass over the image: the union of its boxes. */
typedef struct footprint_part {
  footprint_box *boxes; /* by dz, then by width; of one height */
  int64_t n;
  int32_t low[3], high[3]; /* least and greatest offset along z, y, x, with 0 among them */
} footprint_part;

/* Passes that one after the other make the footprint: two for a cube, one for all others. */
typedef struct footprint {
  int parts;
  footprint_part part[2];
} footprint;

/* Errors name the parameters "footprint" and "matrix". */
fv_status footprint_check (const footprint_spec *spec, bool volume, fv_error *error);

/* Least and greatest offsets along z, y, x, with 0 among them. */
void footprint_reach (const footprint_spec *spec, int32_t low[3], int32_t high[3]);

/* At most so many boxes does a footprint have. */
int64_t footprint_boxes (const footprint_spec *spec);

/* memory: for that many boxes. */
void footprint_make (const footprint_spec *spec, footprint_box *memory, footprint *f);

/* Reflects it about its origin. */
void footprint_mirror (footprint *f);

/* Pixels that lie together in a row. */
typedef struct footprint_run {
  int32_t first, last;
} footprint_run;

/* The next run of row dy of slice dz that begins behind r->last; before the first, that is the least offset - 1. */
bool footprint_next_run (const footprint_spec *spec, int32_t dz, int32_t dy, footprint_run *r);

#ifdef __cplusplus
}
#endif

#endif
