/* SPDX-License-Identifier: MIT
 *
 * What otsu and threshold share: a threshold t for each plane or volume, and the mask of the pixels above it.
 * Methods work on the histogram of histogram.h, but `mean` and, on floats, `li` on the pixels. An image of one
 * value has that value as threshold. Where a method finds none, or no pixel is finite, t is NaN and the mask empty.
 * NaN is never foreground; +inf is above and -inf below every threshold.
 * References: those of the citation in threshold.c. Oracles: scikit-image 0.26, in its precision: counts in single; ImageJ 1.53t.
 */
#ifndef KERNELS_THRESHOLD_METHODS_H
#define KERNELS_THRESHOLD_METHODS_H

#include "kernels/common/histogram.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum threshold_method {
  THRESHOLD_MANUAL,
  THRESHOLD_OTSU,        /* largest variance between the classes */
  THRESHOLD_LI,          /* least cross entropy, by iteration */
  THRESHOLD_YEN,         /* largest entropic correlation */
  THRESHOLD_TRIANGLE,    /* farthest below the line from the peak to the end of the longer tail */
  THRESHOLD_ISODATA,     /* midway between the means of the classes: the smallest such value */
  THRESHOLD_MEAN,        /* the mean */
  THRESHOLD_MINIMUM,     /* lowest place between the two peaks of the smoothed histogram */
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

/* Of an operation that stands for one method, which is its `user`: the others of threshold_args have their defaults. */
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

/* Methods of a file of their own: the bin of a histogram of two bins or more, with work for 9 doubles a bin; the threshold. */
int64_t threshold_huang (const histogram *h, double *work, progress *progress);
double threshold_imagej (const histogram *h, int method, bool dark);

/* The arguments with which the histogram is made: ImageJ's methods have bins of their own. */
threshold_args threshold_counted (const threshold_args *args);
band threshold_band (const threshold_args *args, fv_type type, double threshold);
fv_status threshold_cpu (const fv_call *call, fv_error *error);
fv_status threshold_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
