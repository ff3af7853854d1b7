/* SPDX-License-Identifier: MIT
 *
 * convert: out = in in another type, as it is or, with scale=range, (in - low) / (high - low), limited to 0 ... 1, times the largest value of an
 * integer type, or times 1; low and high are those of the channel where there are several. With scale=imagej, to 8 and 16 bits, as ImageJ 1.53t:
 * floor (max (in - low, 0) f + 1/2), at most the largest value. The factor f is 256 / (high - low + 1) from integers to 8 bits, else 255 or 65535 /
 * (high - low). Computed in double; integers are rounded to nearest, ties to even, and clamped. NaN stays in floats and is 0 in integers.
 */
#ifndef KERNELS_IMAGE_CONVERT_H
#define KERNELS_IMAGE_CONVERT_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum convert_type { CONVERT_U8, CONVERT_U16, CONVERT_I32, CONVERT_F32, CONVERT_F64 } convert_type;
typedef enum convert_scale { CONVERT_KEPT, CONVERT_RANGE, CONVERT_IMAGEJ } convert_scale;

typedef struct convert_args {
  int32_t type, scale; /* convert_type, convert_scale */
  double low, high;    /* with CONVERT_RANGE and CONVERT_IMAGEJ */
  fv_matrix limits;    /* instead of them, rows: low high of each channel, or once for all */
} convert_args;

/* What becomes of low and of high. */
typedef struct convert_range {
  bool scaled, imagej;
  double low, width, full;
  double factor; /* of ImageJ */
} convert_range;

static inline convert_range
convert_range_of (const convert_args *a, fv_type from, int64_t channel)
{
  static const double full[] = {255, 65535, 2147483647, 1, 1};
  const double *limits = a->limits.v + (a->limits.rows > 1 ? 2 * channel : 0);
  const double low = a->limits.planes ? limits[0] : a->low, high = a->limits.planes ? limits[1] : a->high;
  convert_range r = {a->scale != CONVERT_KEPT, a->scale == CONVERT_IMAGEJ, low, high - low, full[a->type], 0};
  if (a->type == CONVERT_U8)
    r.factor = from & FV_INTEGERS ? 256 / (r.width + 1) : 255 / r.width;
  else
    r.factor = r.width == 0 ? 1 : 65535 / r.width;
  return r;
}

/* Channels differ: a call then has those of one frame. */
static inline bool
convert_by_channel (const convert_args *a)
{
  return a->scale != CONVERT_KEPT && a->limits.rows > 1;
}

/* NaN stays. */
INLINE double
convert_value (double v, const convert_range *r)
{
  if (r->imagej) {
    const double above = v - r->low, made = floor ((above < 0 ? 0 : above) * r->factor + 0.5);
    return made > r->full ? r->full : made;
  }
  double part = (v - r->low) / r->width;
  part = part < 0 ? 0 : part > 1 ? 1 : part;
  return part * r->full;
}

fv_status convert_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
