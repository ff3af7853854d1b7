/* SPDX-License-Identifier: MIT
 *
 * maxima: peaks of brightness, or of darkness with `light`, and a row of the table for each. No pixel of the least value is one. By prominence: the
 * area of p is the pixels not below v(p) - prominence that are connected to it, corners included. Where none of them is higher the area is a maximum.
 * Its point is the pixel of value v(p) nearest to their mean position. Of equally near ones it is the first that a breadth-first search finds from
 * the last of them, neighbors clockwise from above. NaN is below all. Objects are numbered by the first pixels of their areas. Reference: ImageJ's
 * MaximumFinder, in 32-bit floats but for i32 and f64.
 * Peaks: v(p) = max over the square, or cube, of side 2 distance + 1, NaN spreading. Of two equal ones nearer than `distance` rows, columns and
 * planes, the later one goes if the earlier one stays. Reference: skimage.feature.peak_local_max.
 */
#ifndef KERNELS_MAXIMA_MAXIMA_H
#define KERNELS_MAXIMA_MAXIMA_H

#include "kernels/maxima/maxima_args.h"

#ifdef __cplusplus
extern "C" {
#endif

fv_status maxima_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
