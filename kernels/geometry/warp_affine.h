/* SPDX-License-Identifier: MIT
 *
 * warp_affine: each plane mapped by x' = a x + b y + c, y' = d x + e y + f, with the matrix "a b c; d e f" and pixels counted from 0, as in OpenCV.
 * Without a matrix it is scaled, sheared (x += tan (shear) y), turned clockwise and moved, in this order, about the centers of image and result. The
 * result samples the image at the inverse of the map, as affine.h says.
 */
#ifndef KERNELS_GEOMETRY_WARP_AFFINE_H
#define KERNELS_GEOMETRY_WARP_AFFINE_H

#include "kernels/geometry/affine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct warp_affine_args {
  fv_matrix matrix;
  double scale_x, scale_y;
  double shear, angle;   /* degrees */
  double x, y;           /* pixels */
  int32_t width, height; /* of the result; 0: as the image */
  int32_t interpolation; /* affine_interpolation */
  int32_t border;
  double value; /* outside, with the border constant */
} warp_affine_args;

/* Of a call; checked before. */
affine_map warp_affine_map (const warp_affine_args *args, const fv_grid *in, const fv_grid *out);
affine_rule warp_affine_rule (const warp_affine_args *args);
fv_status warp_affine_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
