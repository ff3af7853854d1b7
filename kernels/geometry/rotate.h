/* SPDX-License-Identifier: MIT
 *
 * rotate: each plane turned clockwise by an angle about its center, then moved by (x, y) pixels. That is out(q) = f (R' (q - c' - (x, y)) + c) with
 * the centers c and c' of image and result; f samples the image as in affine.h.
 */
#ifndef KERNELS_GEOMETRY_ROTATE_H
#define KERNELS_GEOMETRY_ROTATE_H

#include "kernels/geometry/affine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rotate_args {
  double angle;          /* degrees */
  double x, y;           /* pixels */
  int32_t interpolation; /* affine_interpolation */
  bool enlarge;
  int32_t border;
  double value; /* outside, with the border constant */
} rotate_args;

static inline affine_rule
rotate_rule_of (const rotate_args *a)
{
  affine_rule rule = {affine_count (a->interpolation), (border) a->border, a->value, 1, 1, true};
  return rule;
}

/* Of a call; checked before. */
affine_map rotate_map_of (const rotate_args *args, const fv_grid *in, const fv_grid *out);
fv_status rotate_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
