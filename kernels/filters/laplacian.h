/* SPDX-License-Identifier: MIT
 *
 * laplacian: the sum of the second differences in(i - 1) - 2 in(i) + in(i + 1) along x and y and, in a volume, z.
 * Border: as the argument says. NaN: it and its nearest neighbors are NaN.
 * Reference: scipy.ndimage.laplace.
 */
#ifndef KERNELS_FILTERS_LAPLACIAN_H
#define KERNELS_FILTERS_LAPLACIAN_H

#include "kernels/filters/stencil.h"

/* V (z, y, x): the pixel at that offset. */
#define LAPLACIAN_ALONG(A, B, C) (((A) - (B)) + ((C) - (B)))
#define LAPLACIAN_PLANE(V)                                                                                             \
  (LAPLACIAN_ALONG (V (0, 0, -1), V (0, 0, 0), V (0, 0, 1)) + LAPLACIAN_ALONG (V (0, -1, 0), V (0, 0, 0), V (0, 1, 0)))
#define LAPLACIAN_VOLUME(V) (LAPLACIAN_PLANE (V) + LAPLACIAN_ALONG (V (-1, 0, 0), V (0, 0, 0), V (1, 0, 0)))

#ifdef __cplusplus
extern "C" {
#endif

fv_status laplacian_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
