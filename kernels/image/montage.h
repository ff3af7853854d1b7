/* SPDX-License-Identifier: MIT
 *
 * montage: the slices, frames or channels of an image beside and below each other in one plane, row by row, with a gap between them. Cells that
 * are left over, and gaps, have one value. NaN is copied.
 */
#ifndef KERNELS_IMAGE_MONTAGE_H
#define KERNELS_IMAGE_MONTAGE_H

#include "kernels/image/project.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct montage_args {
  int32_t axis;          /* project_axis */
  int32_t columns, rows; /* of tiles; 0: as many as there have to be */
  int32_t gap;
  double value;
} montage_args;

typedef struct montage_plan {
  project_planes planes;
  int64_t columns, rows; /* of tiles */
  int64_t height, width; /* of a tile and its gap */
} montage_plan;

/* Of a call; checked before. */
montage_plan montage_plan_of (const montage_args *args, const fv_grid *in);
fv_status montage_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
