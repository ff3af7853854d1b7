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

#include "kernels/threshold/threshold_args.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The arguments with which the histogram is made: ImageJ's methods have bins of their own. */
threshold_args threshold_counted (const threshold_args *args);
band threshold_band (const threshold_args *args, fv_type type, double threshold);
fv_status threshold_cpu (const fv_call *call, fv_error *error);
fv_status threshold_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
