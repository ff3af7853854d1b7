/* SPDX-License-Identifier: MIT
 *
 * The kernel of convolve, as its arguments or an image give it, and the way that it is computed.
 */
#ifndef KERNELS_CONVOLVE_CONVOLVE_KERNEL_H
#define KERNELS_CONVOLVE_CONVOLVE_KERNEL_H

#include "kernels/convolve/convolve_args.h"

typedef struct convolve_kernel {
  int64_t n[3];
  double *w;      /* [n[0]][n[1]][n[2]], mirrored: see convolve_start() */
  bool separable; /* w(z, y, x) = lines[0](z) lines[1](y) lines[2](x), within the rounding of the working type */
  double *lines[3];
} convolve_kernel;

#ifdef __cplusplus
extern "C" {
#endif

/* Its size along each axis. `image`: what the kernel image is, or NULL. */
void convolve_kernel_size (const convolve_args *a, const fv_grid *image, int64_t n[3]);

/* The way for a kernel of n values: the same for any image, part of an image and device. */
convolve_way convolve_way_of (const int64_t n[3], bool separable);

/* In scratch `memory` of convolve_kernel_values() doubles. pixels: those of the kernel image in host memory, laid out as it says,
 * or NULL. Fails when a value is not finite. */
int64_t convolve_kernel_values (const int64_t n[3]);
fv_status convolve_kernel_make (convolve_kernel *kernel, const convolve_args *a, const fv_array *image,
                                const void *pixels, fv_type working, double *memory, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
