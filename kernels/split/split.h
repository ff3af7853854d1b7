/* SPDX-License-Identifier: MIT
 *
 * split: cuts the objects of a mask where they touch. What is flooded is f: the distance to the background, or an intensity, smoothed. Markers are
 * the regional maxima, inside the mask, of R = the reconstruction by dilation of f - h under f. These are the peaks of f that rise by h over every
 * saddle to a higher one, and the highest of each object. Then the watershed of f, bright first, within the mask. No object of the mask is lost. An
 * object without background around it has infinite distances and stays whole, as where f is NaN. The distance f is smoothed in 64 bits and then
 * rounded to 32, so that every device finds the same ties, and the same objects. P. Soille, Morphological Image Analysis, 2nd ed. (2003), 6.3.4 and
 * 9.2. With method=imagej the lines are those of ImageJ (split_imagej.h), plane by plane.
 */
#ifndef KERNELS_SPLIT_SPLIT_H
#define KERNELS_SPLIT_SPLIT_H

#include "kernels/split/split_args.h"

#ifdef __cplusplus
extern "C" {
#endif

fv_status split_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
