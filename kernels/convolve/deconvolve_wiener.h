/* SPDX-License-Identifier: MIT
 *
 * deconvolve, method=wiener: one convolution with the answer of the filter; see deconvolve.h.
 */
#ifndef KERNELS_CONVOLVE_DECONVOLVE_WIENER_H
#define KERNELS_CONVOLVE_DECONVOLVE_WIENER_H

#include "kernels/convolve/deconvolve_args.h"

enum { DECONVOLVE_MOST = 1 << 22 }; /* pixels of the answer of Wiener's filter */

/* On a device of that kind; what it convolves with, and how. */
fv_status deconvolve_wiener (const fv_call *call, fv_device_kind kind, fv_error *error);
fv_grid deconvolve_wiener_grid (const deconvolve_args *args, const fv_grid *image, const fv_grid *psf);
convolve_args deconvolve_wiener_args (const deconvolve_args *args);
int64_t deconvolve_wiener_bytes (const deconvolve_args *args, const fv_grid *image, const fv_grid *psf);

#endif
