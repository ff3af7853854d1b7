/* SPDX-License-Identifier: MIT
 *
 * maxima: peaks of brightness, or of darkness with `light`, and a row of the table for each. No pixel of the least value is one.
 * By prominence: the area of p is the pixels not below v(p) - prominence that are connected to it, corners included; where none of them
 * is higher the area is a maximum, and its point that pixel of value v(p) which is nearest to their mean position; of equally near
 * ones the first that a breadth-first search finds from the last of them, neighbors clockwise from above. NaN is below all. Objects are
 * numbered by the first pixels of their areas. Reference: ImageJ's MaximumFinder, in 32-bit floats but for i32 and f64.
 * Peaks: v(p) = max over the square, or cube, of side 2 distance + 1, NaN spreading; of two that are equal and nearer than `distance` rows,
 * columns and planes the later one goes if the earlier one stays. Reference: skimage.feature.peak_local_max.
 */
#ifndef KERNELS_OBJECTS_MAXIMA_H
#define KERNELS_OBJECTS_MAXIMA_H

#include "kernels/objects/maxima_args.h"

#ifdef __cplusplus
extern "C" {
#endif

fv_status maxima_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
