/* SPDX-License-Identifier: MIT
 *
 * rolling_ball: the background is what a ball reaches that rolls under the image taken as a landscape; it is subtracted. With `exact` the
 * height of the ball's top over each pixel, min over o of in (p + o) + r - sqrt (r r - o o), as skimage.restoration.rolling_ball; with
 * `imagej` the surface of all balls, from an image shrunk by minima and a ball without its rim, as ImageJ's Subtract Background: of 8 and 16 bits and
 * 32-bit floats with each result rounded to float, in ImageJ's order, and halves rounded up; `paraboloid`
 * is in paraboloid.h. `light`: the same with the image and the background negated. Integers are rounded to nearest and clamped; a light background then becomes the
 * greatest number of its type (8 and 16 bits). What lies outside does not count, nor does NaN; where a pixel is NaN the result is.
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
