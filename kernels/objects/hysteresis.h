/* SPDX-License-Identifier: MIT
 *
 * hysteresis: out(p) = 255 where v > low and p is connected, through pixels above low, with one where v > high, else 0. A low above high is high.
 * NaN is never foreground. Reference: skimage.filters.apply_hysteresis_threshold, whose connectivity is 4, or 6 in volumes.
 */
#ifndef KERNELS_OBJECTS_HYSTERESIS_H
#define KERNELS_OBJECTS_HYSTERESIS_H

#include "kernels/morphology/pieces.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hysteresis_args {
  double low, high;
  int32_t connectivity; /* label_connectivity */
  bool volume;
} hysteresis_args;

/* What label is asked for in the pixels above low. */
static inline label_args
hysteresis_label_args (const hysteresis_args *a)
{
  label_args l = {.connectivity = a->connectivity, .volume = a->volume};
  if (l.connectivity == LABEL_AUTO)
    l.connectivity = l.volume ? LABEL_6 : LABEL_4;
  return l;
}

static inline double
hysteresis_low (const hysteresis_args *a)
{
  return a->low < a->high ? a->low : a->high;
}

/* Marks of labels, a byte each, one behind the other for planes that are labeled by themselves: at most every second pixel begins an object. */
static inline int64_t
hysteresis_marks (const fv_grid *in, bool volume)
{
  return in->shape[1] * in->shape[2] * (volume ? in->shape[0] : 1) / 2 + 2;
}

fv_status hysteresis_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
