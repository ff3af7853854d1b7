/* SPDX-License-Identifier: MIT
 *
 * deconvolve, method=richardson_lucy: Richardson and Lucy's estimate of what a point spread function has blurred. It starts with e = 1/2 everywhere.
 * Each iteration sets e = e (k' * (v / (k * e + 1e-12))), with the convolution *, the function k, whose sum is 1, and k' = k turned by 180 degrees.
 * In single, or in double where single would lose digits of the input. Border: as the argument says. NaN and infinities spread as far as the function
 * reaches, each time.
 * Reference: skimage.restoration.richardson_lucy without clip, which has boundary=fill. As there, a function with an even number of rows or columns
 * has no middle, and k' lies a pixel off: the result drifts.
 * - shape=airy: the function of airy.h, with the pixel size of the image and the sum 1.
 * - method=wiener: the convolution with the answer of Wiener's filter to a single pixel (wiener.h), border as the argument says. With boundary=wrap
 *   the grid of the response is the image, as in skimage.restoration.wiener without clip. Else it is four times as large as the function along each
 *   axis, at least 64 pixels. It is at most twice the image where the function is not larger.
 */
#ifndef KERNELS_CONVOLVE_DECONVOLVE_H
#define KERNELS_CONVOLVE_DECONVOLVE_H

#include "kernels/common/scratch_image.h"
#include "kernels/convolve/deconvolve_args.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DECONVOLVE_LEAST 1e-12

/* Of the working type but for the image, the output and the function. blurred is replaced by the ratio. */
typedef struct deconvolve_arrays {
  const fv_array *image, *estimate, *output, *psf; /* estimate: the output itself, where that has the working type */
  scratch_image scratch, blurred, factor, turned;
} deconvolve_arrays;

/* What is done between convolutions, on a device of that kind. */
typedef fv_status deconvolve_pass (const fv_call *call, const deconvolve_arrays *a, fv_error *error);
typedef struct deconvolve_passes {
  fv_device_kind kind;
  deconvolve_pass *turn, *start, *ratio, *multiply, *write; /* write: only where the estimate is not the output */
} deconvolve_passes;

fv_status deconvolve_run (const fv_call *call, const deconvolve_passes *passes, fv_error *error);
fv_status deconvolve_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
