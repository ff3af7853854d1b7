/* SPDX-License-Identifier: MIT
 *
 * unsharp: out = in + amount (in - blurred), with a Gaussian blur. ImageJ's mask weight w is an amount of w / (1 - w). With
 * method=imagej (in - w blurred) / (1 - w) in float, with ImageJ's blur of accuracy 0.01, and 8 and 16 bits are rounded halves up.
 * Border: as the argument says. NaN: every window that contains one gives NaN.
 * Reference: skimage.filters.unsharp_mask with preserve_range.
 */
#ifndef KERNELS_FILTERS_UNSHARP_H
#define KERNELS_FILTERS_UNSHARP_H

#include "kernels/gaussian/blurs.h"

typedef struct unsharp_args {
  gaussian_args blur; /* first: the parameters of blurs find theirs */
  double amount;
} unsharp_args;

/* ImageJ's weight. */
INLINE float
unsharp_weight (double amount)
{
  return (float) (amount / (1 + amount));
}

INLINE float
unsharp_imagej (float v, float blurred, float weight)
{
  return (v - weight * blurred) / (1.f - weight);
}

#ifdef __cplusplus
extern "C" {
#endif

/* The blur, always of floats. */
gaussian_args unsharp_blur (const unsharp_args *a);
fv_status unsharp_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
