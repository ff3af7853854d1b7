/* SPDX-License-Identifier: MIT
 *
 * rolling_ball: the background is what a ball reaches that rolls under the image taken as a landscape; it is subtracted. With `exact` it is the
 * height of the top of the ball over each pixel, as in skimage.restoration.rolling_ball: min over o of in (p + o) + r - sqrt (r r - o o). With
 * `imagej` it is the surface of all balls, as in ImageJ's Subtract Background: from an image shrunk by minima and a ball without its rim. Each result
 * of 8 and 16 bits and 32-bit floats is rounded to float, in ImageJ's order, and halves are rounded up. For `paraboloid` see paraboloid.h. `light`:
 * the same with the image and the background negated. Integers are rounded to nearest and clamped; a light background then becomes the greatest
 * number of its type (8 and 16 bits). What lies outside does not count, nor does NaN; where a pixel is NaN the result is.
 * Reference: S. Sternberg, Biomedical image processing, IEEE Computer 16 (1983) 22.
 */
#ifndef KERNELS_FILTERS_ROLLING_BALL_H
#define KERNELS_FILTERS_ROLLING_BALL_H

#include "kernels/filters/rolling_ball_args.h"

#ifdef __cplusplus
extern "C" {
#endif

rolling_ball_plan rolling_ball_make (const rolling_ball_args *a, fv_type type, int64_t rows, int64_t columns);

/* (2 reach + 1)^2 heights; -infinity: not of the ball. */
void rolling_ball_heights (const rolling_ball_args *a, const rolling_ball_plan *p, double *heights);

fv_status rolling_ball_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
