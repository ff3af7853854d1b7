/* SPDX-License-Identifier: MIT
 *
 * How convolve goes through an image on the CPU: in tiles, each read with all that the kernel reaches around it.
 */
#ifndef KERNELS_CONVOLVE_CONVOLVE_TILES_H
#define KERNELS_CONVOLVE_CONVOLVE_TILES_H

#include "kernels/convolve/convolve_kernel.h"

typedef struct convolve_tiling {
  convolve_way way;
  int64_t rows, columns;       /* of output in a tile, */
  int64_t in_rows, in_columns; /* which needs so much input */
  int64_t tile_rows, pitch;    /* of its memory */
  int64_t planes;              /* that a job takes: it reads n[0] - 1 more */
  double cost;                 /* products for an output pixel, or what takes as long */
} convolve_tiling;

/* For a kernel of n values and so large an output. */
convolve_tiling convolve_choose (const int64_t n[3], bool separable, fv_type working, const int64_t out[3]);

/* Bytes of scratch that convolve_tiles() takes for so large an output. */
int64_t convolve_tiles_scratch (const convolve_tiling *t, const int64_t n[3], fv_type working, const int64_t out[3]);

fv_status convolve_tiles (const fv_call *call, const convolve_kernel *kernel, fv_error *error);

#endif
