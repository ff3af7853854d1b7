/* SPDX-License-Identifier: MIT
 *
 * convolve: out(i) = sum over k of kernel(k) in(i - k) along both axes, or all three. The kernel begins at 0. For N pixels and M kernel values, mode
 * full has all N + M - 1 results where kernel and image meet. Mode valid has the N - M + 1 where the kernel lies inside, and mode same the N from (M
 * - 1) / 2 of full on. Which way it goes, directly, axis after axis or by Fourier transforms, depends on the kernel alone: see convolve_way_of().
 *   Except with Fourier transforms, which round by their tiles, a pixel has the same bits wherever it is computed. A sum goes through the kernel
 *   plane by plane and in each through chunks of CONVOLVE_CHUNK x CONVOLVE_CHUNK values. It takes chunks row by row, and in a chunk column by column,
 *   with fma. In float the sum of a chunk is made by itself and then added, so that rounding does not add up.
 * Border: as the argument says. NaN and infinities reach as far as the kernel, its zeros too, in whichever way it is computed.
 * Reference: scipy.signal.convolve2d; for volumes scipy.signal.convolve.
 */
#ifndef KERNELS_CONVOLVE_CONVOLVE_H
#define KERNELS_CONVOLVE_CONVOLVE_H

#include "kernels/convolve/convolve_args.h"

#ifdef __cplusplus
extern "C" {
#endif

fv_status convolve_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
