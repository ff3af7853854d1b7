/* SPDX-License-Identifier: MIT
 *
 * The extremes around each pixel.
 */
#ifndef KERNELS_MAXIMA_MAXIMA_EXTREMES_H
#define KERNELS_MAXIMA_MAXIMA_EXTREMES_H

#include "kernels/common/scratch_image.h"
#include "kernels/maxima/maxima_args.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest of the square or cube around each pixel or, with `light`, the least, in scratch. */
fv_status maxima_extremes (const fv_call *call, fv_device_kind kind, scratch_image *extremes, fv_error *error);
int64_t maxima_extremes_bytes (const maxima_args *a, const fv_grid *image);

#ifdef __cplusplus
}
#endif

#endif
