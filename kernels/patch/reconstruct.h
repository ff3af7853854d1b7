/* SPDX-License-Identifier: MIT
 *
 * reconstruct: an image from the patches of another, out(p) = mean over |d| <= radius of B(x(p + d) - d_x, y(p + d) - d_y), where
 * (x, y) is the field that patch_match makes: each pixel is the mean of all patches that are laid over it. The edge pixels of B go on
 * outside. Positions outside B, such as -1, lay no patch; where none lies it is NaN, or 0 in integers, which are rounded to
 * nearest, ties to even. Sums are double, row by row.
 */
#ifndef KERNELS_PATCH_RECONSTRUCT_H
#define KERNELS_PATCH_RECONSTRUCT_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct reconstruct_args {
  int32_t radius;
} reconstruct_args;

/* The plane of B that belongs to a plane of the field: a single plane belongs to all. */
static inline int64_t
reconstruct_plane (const fv_grid *b, int64_t z)
{
  return grid_depth (b) > 1 ? z : 0;
}

fv_status reconstruct_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
