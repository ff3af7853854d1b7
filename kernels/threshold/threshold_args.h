/* SPDX-License-Identifier: MIT
 *
 * The arguments of otsu and threshold, and what their declarations share.
 */
#ifndef KERNELS_THRESHOLD_THRESHOLD_ARGS_H
#define KERNELS_THRESHOLD_THRESHOLD_ARGS_H

#include "kernels/common/common.h"

typedef enum threshold_method {
  THRESHOLD_MANUAL,
  THRESHOLD_OTSU,        /* largest variance between the classes */
  THRESHOLD_LI,          /* least cross entropy, by iteration */
  THRESHOLD_YEN,         /* largest entropic correlation */
  THRESHOLD_TRIANGLE,    /* farthest below the line from the peak to the end of the longer tail */
  THRESHOLD_ISODATA,     /* midway between the means of the classes: the smallest such value */
  THRESHOLD_MEAN,        /* the mean */
  THRESHOLD_MINIMUM,     /* lowest value between the two peaks of the smoothed histogram */
  THRESHOLD_HUANG,       /* least fuzziness (Shannon) */
  THRESHOLD_MAX_ENTROPY, /* largest sum of the entropies of the classes */
  /* ImageJ's own, see methods_imagej.h: */
  THRESHOLD_IMAGEJ_DEFAULT,
  THRESHOLD_IMAGEJ_IJ_ISODATA,
  THRESHOLD_IMAGEJ_ISODATA,
  THRESHOLD_IMAGEJ_LI,
  THRESHOLD_IMAGEJ_TRIANGLE,
  THRESHOLD_IMAGEJ_MINIMUM,
  THRESHOLD_IMAGEJ_OTSU,
  THRESHOLD_IMAGEJ_HUANG,
  THRESHOLD_IMAGEJ_MAX_ENTROPY,
  THRESHOLD_IMAGEJ_MEAN,
  THRESHOLD_IMAGEJ_YEN,
} threshold_method;

typedef struct threshold_args {
  int32_t method;
  double lower, upper; /* manual: lower <= v <= upper */
  int32_t bins;        /* of floats, and of integers that span more than 2^24 values (huang: 2^16) */
  bool dark_background, volume;
} threshold_args;

/* Of an operation for one method, which is its `user`: the others of threshold_args have their defaults. */
typedef struct threshold_short_args {
  int32_t bins;
  bool volume;
} threshold_short_args;

/* The pixels low <= v <= high are foreground; both are values of the pixel type, low > high: none. */
typedef struct band {
  double low, high;
} band;

/* What the declarations share. */
#define THRESHOLD_SCALAR                                                                                               \
  {                                                                                                                    \
    "threshold", "Threshold", "The value above which a pixel is foreground; NaN when there is none.", FV_COLUMN_FLOAT  \
  }
#define THRESHOLD_BINS                                                                                                 \
  .label = "Bins", .advanced = true, .def = 256, .min = 2, .max = 65536, .soft_min = 16, .soft_max = 4096,             \
  .scale = FV_LOG, .help = "Bins of the histogram of float images; integer images have one for each value."
#define THRESHOLD_VOLUME                                                                                               \
  .label = "One threshold for the stack",                                                                              \
  .help = "Finds one threshold from all slices of a stack; otherwise each slice gets one of its own."

/* The arguments of a call of either form. */
INLINE threshold_args
threshold_arguments (const fv_call *call)
{
  const threshold_short_args *a = (const threshold_short_args *) call->args;
  if (!call->op->user)
    return *(const threshold_args *) call->args;
  threshold_args full = {(int32_t) (intptr_t) call->op->user, 0, 0, a->bins, true, a->volume};
  return full;
}

static inline void
threshold_grid (fv_grid *out)
{
  out->type = FV_U8;
  out->role = FV_MASK;
  out->dense = false;
}

#endif
