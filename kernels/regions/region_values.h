/* SPDX-License-Identifier: MIT
 *
 * Sums over the intensities of each object. Pieces are the blocks of regions.h; they are summed in parallel and
 * added in one order, so that the result is the same for any number of threads and on a GPU. NaN propagates as in NumPy.
 */
#ifndef KERNELS_REGIONS_REGION_VALUES_H
#define KERNELS_REGIONS_REGION_VALUES_H

#include "kernels/regions/region_moments.h"

typedef enum region_sum {
  REGION_SUM,     /* 1: sum; exact for integers */
  REGION_RANGE,   /* 2: minimum, maximum */
  REGION_POWERS,  /* 3: sums of d^2, d^3, d^4 about a center */
  REGION_MOMENTS, /* 16 or 64: moments weighted with the intensity about a center: see region_moments.h */
} region_sum;

typedef struct run_piece {
  int64_t region, first, n; /* runs of that region */
} run_piece;

typedef struct pieces {
  const regions *regions;
  run_piece *items;
  int64_t n, *first; /* first piece of each region */
} pieces;

fv_status pieces_make (const fv_call *call, const regions *r, pieces *p, fv_error *error);

/* Sums of one channel, whose first plane is given.
 * - centers: of each region, 1 number for POWERS, 3 (z, y, x from the corner of the box) for MOMENTS.
 * - sums: room for `width` numbers for each piece; those of region i are then at sums + p->first[i] * width. */
fv_status region_sums (const fv_call *call, const pieces *p, region_sum what, int width, const fv_array *image,
                       int64_t first_plane, const double *centers, double *sums, fv_error *error);

#endif
