/* SPDX-License-Identifier: MIT
 *
 * The heights of the ball's top over images of 8 and 16 bits, in integers.
 */
#ifndef KERNELS_FILTERS_ROLLING_BALL_TOPS_CUH
#define KERNELS_FILTERS_ROLLING_BALL_TOPS_CUH

#include "kernels/common/common.cuh"
#include "kernels/filters/rolling_ball_args.h"

/* Whether this image and ball are for ball_tops_cuda(). */
bool ball_tops_fit (const fv_array *in, const rolling_ball_plan *p);
/* Makes both outputs. heights: on the device, as rolling_ball_heights() has them. */
cudaError_t ball_tops_cuda (const fv_call *call, const rolling_ball_plan *p, const double *heights);

#endif
