/* SPDX-License-Identifier: MIT
 *
 * Images of maxima in scratch, and the extremes around each pixel.
 */
#ifndef KERNELS_MAXIMA_MAXIMA_EXTREMES_H
#define KERNELS_MAXIMA_MAXIMA_EXTREMES_H

#include "kernels/maxima/maxima_args.h"

/* An image in scratch, without gaps. */
typedef struct maxima_image {
  fv_array array;
  fv_grid grid;
  int64_t strides[3];
} maxima_image;

#ifdef __cplusplus
extern "C" {
#endif

void maxima_lay_out (maxima_image *to, const fv_array *like, fv_type type, void *memory);

/* The largest of the square or cube around each pixel or, with `light`, the least, in scratch. */
fv_status maxima_extremes (const fv_call *call, fv_device_kind kind, maxima_image *extremes, fv_error *error);
int64_t maxima_extremes_bytes (const maxima_args *a, const fv_grid *image);

#ifdef __cplusplus
}
#endif

#endif
