/* SPDX-License-Identifier: MIT
 *
 * gaussian: one pass along each axis, out(i) = sum over k = -r ... r of w(k) in(i + k). The weights are w(k) = exp (-k^2 / (2 sigma^2)), scaled to
 * the sum 1, and r = floor (truncate sigma + 1/2). Operations that use it may have derivatives along axes, with k / sigma^2 w(k) or (k^2 / sigma^4 -
 * 1 / sigma^2) w(k) in place of w(k). For method=imagej see gaussian_imagej.h. Border: as the argument says. NaN: every window that contains one
 * gives NaN.
 * Reference: scipy.ndimage.gaussian_filter.
 *
 * A pixel has the same bits wherever it is computed, because sums have one order. Axes are x, y, z, with numbers of the working type between them.
 * Taps are k = -r ... r, each added with one fma(). In float the sum of each GAUSSIAN_BLOCK taps begins at 0, and these sums are added in their
 * order. Weights are rounded to the working type; gaussian_weights.c computes them, on the host for every device.
 */
#ifndef KERNELS_GAUSSIAN_GAUSSIAN_H
#define KERNELS_GAUSSIAN_GAUSSIAN_H

#include "kernels/gaussian/gaussian_args.h"

#ifdef __cplusplus
extern "C" {
#endif

fv_status gaussian_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
