/* SPDX-License-Identifier: MIT
 *
 * resize: to a number of pixels. Along axes that get shorter each pixel is the mean of what it covers (area.h). Along those that get longer a spline
 * interpolates (spline.h). The outer edges of the image stay where they are. With order 0 it is the pixel that lies there, both ways. The pixel size
 * follows.
 */
#ifndef KERNELS_GEOMETRY_RESIZE_H
#define KERNELS_GEOMETRY_RESIZE_H

#include "kernels/common/scratch_image.h"
#include "kernels/geometry/area.h"
#include "kernels/geometry/spline.h"

typedef struct resize_args {
  int32_t width, height; /* 0: in proportion to the other */
  int32_t order;
} resize_args;

#ifdef __cplusplus
extern "C" {
#endif

spline_rule resize_rule (const resize_args *args);
/* Whether anything is averaged, and whether more is to be done then. */
bool resize_reduces (const resize_args *args, const fv_grid *in, const fv_grid *out);
bool resize_enlarges (const fv_grid *in, const fv_grid *out);
fv_type resize_working_type (const fv_grid *grid);
/* With memory of the call. */
fv_status resize_middle_make (const fv_call *call, scratch_image *middle, fv_error *error);
fv_status resize_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
