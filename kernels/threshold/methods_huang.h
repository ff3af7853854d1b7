/* SPDX-License-Identifier: MIT
 *
 * Huang and Wang's fuzziness, for the CPU and the GPU alike. A pixel at distance d from the mean of its class is a member of it by
 * m = 1 / (1 + d / (bins - 1)). Its fuzziness is Shannon's entropy of m, or 0 where m > 0.999999. As in ImageJ, the means are not rounded.
 */
#ifndef KERNELS_THRESHOLD_METHODS_HUANG_H
#define KERNELS_THRESHOLD_METHODS_HUANG_H

#include "kernels/common/defined.h"
#include "kernels/common/histogram.h"

/* term: 1 / (bins - 1) */
INLINE double
huang_entropy (double distance, double term)
{
  double m = 1 / (1 + term * fabs (distance));
  return m > 0.999999 ? 0 : -m * defined_log (m) - (1 - m) * defined_log (1 - m);
}

/* Least fuzziness but for rounding, of which the first counts. */
#define HUANG_SAME (1 + 1e-12)

#ifdef __cplusplus
extern "C" {
#endif

/* The bin of a histogram of two bins or more, with work for 9 doubles a bin. */
int64_t threshold_huang (const histogram *h, double *work, progress *progress);

#ifdef __cplusplus
}
#endif

#endif
