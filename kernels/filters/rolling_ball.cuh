/* SPDX-License-Identifier: MIT
 *
 * The exact ball on whole numbers of 16 bits at most, on the GPU.
 */
#ifndef KERNELS_FILTERS_ROLLING_BALL_CUH
#define KERNELS_FILTERS_ROLLING_BALL_CUH

#include "kernels/filters/rolling_ball.h"

/* Whether this image and ball are for ball_tops_cuda(). */
bool ball_tops_fit (const fv_array *in, const rolling_ball_plan *p);
/* Makes both outputs. heights: on the device, as rolling_ball_heights() has them. */
cudaError_t ball_tops_cuda (const fv_call *call, const rolling_ball_plan *p, const double *heights);

#endif
