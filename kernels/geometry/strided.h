/* SPDX-License-Identifier: MIT
 *
 * A row of pixels taken from anywhere along one axis, on the CPU.
 */
#ifndef KERNELS_GEOMETRY_STRIDED_H
#define KERNELS_GEOMETRY_STRIDED_H

#include "kernels/common/common.h"

/* to[i] = from[i * step] for i < n. pixel: bytes of one, 1, 2, 4 or 8; step: in pixels, negative for backwards. */
void strided_take (void *to, const void *from, size_t pixel, int64_t step, int64_t n);

#endif
