/* SPDX-License-Identifier: MIT
 *
 * The weights of gaussian along an axis, computed on the host for every device.
 */
#ifndef KERNELS_GAUSSIAN_GAUSSIAN_WEIGHTS_H
#define KERNELS_GAUSSIAN_GAUSSIAN_WEIGHTS_H

#include "kernels/gaussian/gaussian_args.h"

#ifdef __cplusplus
extern "C" {
#endif

/* w[0 ... radius], the center first; all taps have the sum 1. */
void gaussian_weights (double *w, int64_t radius, double sigma);

/* The same for an axis of the call, or those of a derivative, where the taps before the center of an odd one have the other sign. */
void gaussian_axis_weights (double *w, const gaussian_args *a, const fv_grid *in, int axis);

/* What a pass with these weights, in that working type, makes of a constant. */
double gaussian_of_constant (const double *w, int64_t radius, bool odd, fv_type type, double value);

#ifdef __cplusplus
}
#endif

#endif
