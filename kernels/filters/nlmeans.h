/* SPDX-License-Identifier: MIT
 *
 * nlmeans: out(p) = the sum of w(t) in(p + t) over the sum of w(t), over all shifts t of at most `distance` pixels along each axis. The weight is
 * w(t) = exp (-max (D, 0)). D is the mean, over h^2, of (in(p + o) - in(p + t + o))^2 - 2 sigma^2 over a patch of offsets o. Its side is s (made
 * odd), r = (s - 1) / 2. Planes by themselves. fast: D is the sum over r - s + 2 ... r along each axis, over s^2 h^2; above 5 the weight is 0. exact:
 * D has weights exp (-|o|^2 / (2 a^2)), a = (s - 1) / 4, whose sum is 1; the weight is 0 where D is more than 5 before its last row.
 * Border: mirror. NaN and infinities spoil what is within distance + r of them.
 * Reference: skimage.restoration.denoise_nl_means, whose exponential is off by some percent, and whose exact form looks for no patch outside the image.
 */
#ifndef KERNELS_FILTERS_NLMEANS_H
#define KERNELS_FILTERS_NLMEANS_H

#include "kernels/filters/nlmeans_args.h"

#ifdef __cplusplus
extern "C" {
#endif

fv_status nlmeans_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
