/* SPDX-License-Identifier: MIT
 *
 * Rows of pixels of any type, read into and written from the float or double in which filters work, and the number of
 * threads. Written integers are rounded to nearest, ties to even, and clamped; NaN gives 0.
 */
#ifndef KERNELS_COMMON_ROW_H
#define KERNELS_COMMON_ROW_H

#include "kernels/common/common.h"

void row_to_f32 (void *to, const void *from, fv_type type, int64_t n);
void row_to_f64 (void *to, const void *from, fv_type type, int64_t n);
void row_from_f32 (void *to, fv_type type, const void *from, int64_t n);
void row_from_f64 (void *to, fv_type type, const void *from, int64_t n);

#endif
