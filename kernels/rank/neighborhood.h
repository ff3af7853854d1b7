/* SPDX-License-Identifier: MIT
 *
 * neighborhood: what the filters over a footprint share: arguments, form, checks, and on the CPU tiles of the image with all
 * around them that the footprint reaches. Border: as the argument says. Footprints: those of morphology, and ImageJ's circle.
 */
#ifndef KERNELS_RANK_NEIGHBORHOOD_H
#define KERNELS_RANK_NEIGHBORHOOD_H

#include "kernels/morphology/footprint.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum neighborhood_output { NEIGHBORHOOD_FLOAT, NEIGHBORHOOD_LIKE } neighborhood_output;

typedef struct neighborhood_args {
  int32_t footprint; /* footprint_shape */
  int32_t radius;
  fv_matrix matrix;
  double percentile; /* of the operation percentile */
  int32_t border;
  double value;   /* outside, with BORDER_CONSTANT */
  int32_t output; /* of means and variances */
  bool volume;
} neighborhood_args;

extern const fv_input neighborhood_inputs[];
extern const fv_choice neighborhood_footprints[];
extern const fv_choice neighborhood_borders[];

fv_grain neighborhood_grain (const fv_op *op, const void *args);
void neighborhood_halo (const fv_op *op, const void *args, const fv_grid *input, int64_t halo[3]);

INLINE footprint_spec
neighborhood_spec (const neighborhood_args *a)
{
  footprint_spec spec = {(footprint_shape) a->footprint, a->radius, &a->matrix};
  return spec;
}

/* The parameters that all have, but for 3-D, which comes last. */
#define NEIGHBORHOOD_FOOTPRINT(SHAPE, RADIUS)                                                                          \
  {FV_FIELD (neighborhood_args, footprint), .label = "Footprint", .choices = neighborhood_footprints, .def = (SHAPE),  \
   .help = "Shape of the neighborhood."},                                                                              \
    {FV_FIELD (neighborhood_args, radius),                                                                             \
     .label = "Radius",                                                                                                \
     .unit = FV_PIXELS,                                                                                                \
     .max = FOOTPRINT_RADIUS_MAX,                                                                                      \
     .soft_max = 10 * (RADIUS),                                                                                        \
     .def = (RADIUS),                                                                                                  \
     .enabled = "footprint=disk|square|diamond|octagon|ball|cube|octahedron|imagej",                                   \
     .help = "Pixels from the center to the edge of the footprint."},                                                  \
  {                                                                                                                    \
    FV_FIELD (neighborhood_args, matrix), .label = "Matrix", .def_text = "0 1 0; 1 1 1; 0 1 0",                        \
                                          .enabled = "footprint=matrix",                                               \
                                          .help = "The footprint as numbers, where all but zeros belong to it."        \
  }
#define NEIGHBORHOOD_BORDER                                                                                            \
  {FV_FIELD (neighborhood_args, border), .label = "Border", .advanced = true, .choices = neighborhood_borders,         \
   .help = "Values outside the image."},                                                                               \
  {                                                                                                                    \
    FV_FIELD (neighborhood_args, value), .label = "Value outside", .advanced = true, .enabled = "border=constant",     \
                                         .help = "The constant outside the image."                                     \
  }
#define NEIGHBORHOOD_VOLUME                                                                                            \
  {                                                                                                                    \
    FV_FIELD (neighborhood_args, volume),                                                                              \
      .label = "3-D (whole stack)",                                                                                    \
      .help = "Treats the planes as one volume, as ball, cube, octahedron and matrices of several planes need it."     \
  }

/* How many pixels the footprint has. */
int64_t neighborhood_count (const neighborhood_args *a);

/* Pixels that lie together in a row of the footprint. */
typedef struct neighborhood_run {
  int32_t dz, dy, first, last;
} neighborhood_run;

/* How many there are; with `runs` not NULL also writes them, slice by slice and row by row. */
int64_t neighborhood_runs (const neighborhood_args *a, neighborhood_run *runs);

/* The value outside as a pixel of the type. */
void neighborhood_outside (const neighborhood_args *a, fv_type type, void *pixel);

/* ---- Tiles on the CPU ---- */

typedef struct neighborhood {
  const fv_array *in;
  border edge;
  union {
    char pixel[8];
    double widest;
  } outside;
  int32_t low[3], high[3]; /* the footprint's reach */
  int64_t height, width;   /* of a tile, at most */
  int64_t down, across;    /* tiles of a plane */
  int64_t pitch, slice,
    all; /* pixels of a tile with its surroundings: from row to row, plane to plane, and with room behind */
} neighborhood;

/* A tile of plane z. */
typedef struct neighborhood_tile {
  int64_t z, y, x, height, width;
} neighborhood_tile;

/* Tiles of about `side` pixels a side; rows have room for `behind` more pixels. */
void neighborhood_cut (neighborhood *b, const fv_call *call, int64_t side, int64_t behind);
neighborhood_tile neighborhood_tile_at (const neighborhood *b, int64_t i);

/* Pixel (y, x) of the tile with the offset (dz, dy, dx) is y * pitch + x + this. */
int64_t neighborhood_offset (const neighborhood *b, int32_t dz, int32_t dy, int32_t dx);

/* Row `row` of slice dz with its surroundings, from row low[1] of the tile on: writes tile->width + reach pixels of the image's type. */
void neighborhood_load_row (const neighborhood *b, const neighborhood_tile *t, int32_t dz, int64_t row, void *to);

#ifdef __cplusplus
}
#endif

#endif
