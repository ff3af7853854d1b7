/* SPDX-License-Identifier: MIT
 *
 * split, method=imagej: the lines of ImageJ's Watershed. d(p) is the distance to the background pixel that reaches p in four sweeps, one from each
 * corner of the plane. They pass background pixels on along the row, down and diagonally; each pixel keeps the nearest of three. This is sometimes a
 * little more than the smallest distance. The height H(p) is d(p) corrected where p is on a ridge, as the true ridge may lie between pixels. What is
 * connected to p, corners included, and not lower than H(p) - h is the area of a peak where nothing of it is higher. Then distances become steps, 1
 * to 254. Those of lower peaks are cut down to where they meet an area. The areas grow step by step, downward, into the pixels of each step, in eight
 * directions in turn. A pixel is taken from the side that the direction says, and not where it would join what is apart around it. Pixels that were
 * not reached wait for the next step where they are at the edge of the object, or else are the lines. Outside the image is nothing. Reference:
 * ImageJ's EDM and MaximumFinder.
 */
#ifndef KERNELS_SPLIT_SPLIT_IMAGEJ_H
#define KERNELS_SPLIT_SPLIT_IMAGEJ_H

#include "kernels/split/split_chain.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The passes, with s->level, peaks and lower as they are when a flooding begins. */
fv_status split_near_cpu (const fv_call *call, const split_arrays *s, fv_error *error);
fv_status split_heights_cpu (const fv_call *call, const split_arrays *s, fv_error *error);
fv_status split_stairs_cpu (const fv_call *call, const split_arrays *s, fv_error *error);
fv_status split_grow_cpu (const fv_call *call, const split_arrays *s, fv_error *error);

fv_status split_near_cuda (const fv_call *call, const split_arrays *s, fv_error *error);
fv_status split_heights_cuda (const fv_call *call, const split_arrays *s, fv_error *error);
fv_status split_stairs_cuda (const fv_call *call, const split_arrays *s, fv_error *error);
fv_status split_grow_cuda (const fv_call *call, const split_arrays *s, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
