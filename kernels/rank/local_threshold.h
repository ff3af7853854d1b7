/* SPDX-License-Identifier: MIT
 *
 * local_threshold: mask = in > T, with T from the pixels in the footprint around each: m is their mean, s their standard deviation.
 * - mean, gaussian, median: T = that - offset, with sigma = radius / 3.
 * - niblack: T = m - k s.
 * - sauvola: T = m (1 + k (s / r - 1)).
 * - phansalkar: T = m (1 + 2 exp (-10 m) + k (s / r - 1)), with m and s as parts of the maximum of the type (1 for floats).
 * - bernsen: in >= (minimum + maximum) / 2; where these are closer than `contrast`, all or nothing, as that is above half of the maximum of the type.
 * - contrast: in is nearer to the maximum than to the minimum, or as near, and these differ.
 * - midgrey: T = (minimum + maximum) / 2 - offset.
 * Numbers that differ by less than how sums are rounded are equal, so that even ground is background on every device.
 * Border: as the argument says. NaN: a pixel is not foreground where it or one in its footprint is NaN.
 * Reference: skimage.filters threshold_local, threshold_niblack, threshold_sauvola; ImageJ's Auto Local Threshold, whose Contrast makes even
 * ground foreground where it is not 0.
 */
#ifndef KERNELS_RANK_LOCAL_THRESHOLD_H
#define KERNELS_RANK_LOCAL_THRESHOLD_H

#include "kernels/common/defined.h"
#include "kernels/common/scratch_image.h"
#include "kernels/rank/neighborhood.h"

typedef enum local_threshold_method {
  LOCAL_MEAN,
  LOCAL_GAUSSIAN,
  LOCAL_MEDIAN,
  LOCAL_NIBLACK,
  LOCAL_SAUVOLA,
  LOCAL_PHANSALKAR,
  LOCAL_BERNSEN,
  LOCAL_CONTRAST,
  LOCAL_MIDGRAY,
} local_threshold_method;

typedef struct local_threshold_args {
  neighborhood_args around; /* first: the parameters of neighborhoods find theirs */
  int32_t method;           /* local_threshold_method */
  double offset, k, r, contrast;
} local_threshold_args;

/* What a pixel is compared with. */
typedef struct local_threshold_rule {
  local_threshold_method method;
  double offset, k, r, contrast;
  double top;      /* the greatest number of the type, 1 for floats */
  double rounding; /* of what is around a pixel, as a part of it */
} local_threshold_rule;

INLINE bool
local_threshold_is_over (const local_threshold_rule *l, double v, double t)
{
  return v > t && !(v - t < l->rounding * fabs (t));
}

/* a, b: mean and variance; minimum and maximum; or only the one that the method uses. */
INLINE bool
local_threshold_above (const local_threshold_rule *l, double v, double a, double b)
{
  double s = b < l->rounding * a * a ? 0 : sqrt (b);
  switch (l->method) {
  case LOCAL_MEAN:
  case LOCAL_GAUSSIAN:
  case LOCAL_MEDIAN: return local_threshold_is_over (l, v, a - l->offset);
  case LOCAL_NIBLACK: return local_threshold_is_over (l, v, a - l->k * s);
  case LOCAL_SAUVOLA: return local_threshold_is_over (l, v, a * (1 + l->k * (s / l->r - 1)));
  case LOCAL_PHANSALKAR:
    return local_threshold_is_over (l, v,
                                    a * (1 + 2 * defined_exp (-10 * (a / l->top)) + l->k * (s / l->top / l->r - 1)));
  case LOCAL_CONTRAST: return b > a && v >= (a + b) / 2;
  case LOCAL_MIDGRAY: return local_threshold_is_over (l, v, (a + b) / 2 - l->offset);
  default: return b - a < l->contrast ? (a + b) / 2 > l->top / 2 : v >= (a + b) / 2;
  }
}

#ifdef __cplusplus
extern "C" {
#endif

/* Images of what is around each pixel, made by other operations. */
typedef struct local_threshold_images {
  scratch_image image[2];
  int n;
  local_threshold_rule rule;
} local_threshold_images;

/* around: the type of what is around a pixel. */
local_threshold_rule local_threshold_rule_of (const local_threshold_args *args, fv_type type, fv_type around);
fv_status local_threshold_prepare (const fv_call *call, fv_device_kind kind, local_threshold_images *images,
                                   fv_error *error);
fv_status local_threshold_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
