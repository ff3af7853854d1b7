/* SPDX-License-Identifier: MIT
 *
 * split: cuts the objects of a mask where they touch. What is flooded is f: the distance to the background, or an intensity, smoothed. Its
 * peaks inside the mask are the markers: what rises by at least h over the saddle to a higher peak of the same object, and the highest one of
 * each object: where f - R (f - h) >= h, with R the reconstruction by dilation under f. Then the watershed of f, bright first, within the mask.
 * No object of the mask is lost. Where an object has no background around it its distances are infinite: it stays whole, as where f is NaN.
 */
#ifndef KERNELS_LABEL_SPLIT_H
#define KERNELS_LABEL_SPLIT_H

#include "kernels/label/watershed.h"
#include "kernels/morphology/reconstruct_grey.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SPLIT_MASK, SPLIT_INTENSITY };

typedef enum split_by { SPLIT_DISTANCE, SPLIT_BY_INTENSITY } split_by;

typedef struct split_args {
  int32_t by; /* split_by */
  double sigma;
  double h;
  int32_t connectivity; /* label_connectivity */
  bool line;
  bool volume;
} split_args;

/* f as it is flooded: 0 where it is no number, since a peak there would be none. Outside the mask it is NaN. */
INLINE double
split_level (double f, uint8_t mask)
{
  return !mask ? (double) NAN : f - f == 0 ? f : 0;
}

/* f - h, and a little less, since f - (f - h) may come out below h. */
INLINE double
split_below (double f, double h, bool wide)
{
  return f - h - (wide ? 4e-15 : 4e-6) * (fabs (f) + h);
}

/* Arrays in the memory of the device, without gaps. */
typedef struct split_arrays {
  fv_array level, below, tops, markers;
} split_arrays;

/* The point-wise passes; both as split_passes. */
typedef fv_status split_pass (const fv_call *call, const split_arrays *s, fv_error *error);

/* level as it is flooded, and below. */
split_pass split_lower_cuda;
/* tops: 255 or 0. */
split_pass split_tops_cuda;

fv_status split_cuda (const fv_call *call, fv_error *error);

/* The whole operation on a device of that kind, with its passes. */
fv_status split_run (const fv_call *call, fv_device_kind kind, split_pass *lower, split_pass *tops, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
