/* SPDX-License-Identifier: MIT
 *
 * kymograph: the values along a line, a row for each time point, or for each slice; sampled_line.h says where they are.
 */
#ifndef KERNELS_MEASURE_KYMOGRAPH_H
#define KERNELS_MEASURE_KYMOGRAPH_H

#include "kernels/measure/sampled_line.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum kymograph_axis { KYMOGRAPH_FRAMES, KYMOGRAPH_SLICES } kymograph_axis;

typedef struct kymograph_args {
  double x1, y1, x2, y2;
  int32_t width, axis;
} kymograph_args;

static inline int64_t
kymograph_samples (const kymograph_args *a)
{
  return line_samples (a->x2 - a->x1, a->y2 - a->y1);
}

static inline sampled_line
kymograph_line_of (const kymograph_args *a)
{
  return sampled_line_of (a->x1, a->y1, a->x2, a->y2, a->width);
}

fv_status kymograph_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
