/* SPDX-License-Identifier: MIT
 *
 * Formulas of mean and variance that both devices share; sums.h has the order of the sums.
 */
#ifndef KERNELS_RANK_SUMS_FORMULAS_H
#define KERNELS_RANK_SUMS_FORMULAS_H

#include "kernels/common/common.h"

/* The rounding of a sum, as a part of it, is less: no pixel goes through more than 30 sums. */
#define SUMS_ROUNDING 0x1p-48

/* Where in a run of `width` pixels the piece of w begins. */
INLINE int64_t
sums_piece_at (int64_t width, int64_t w)
{
  return width & (-2 * w);
}

/* The mean of n pixels. rounded: to float, which a product with 1 / n is good enough for. */
INLINE double
sums_mean (double sum, double n, double inverse, bool rounded)
{
  return rounded ? sum * inverse : sum / n;
}

/* Their variance. What is left of rounding the sums is none. */
INLINE double
sums_variance (double sum, double squares, double n)
{
  double rest = squares - sum * (sum / n);
  return rest <= squares * SUMS_ROUNDING ? 0 : rest / n;
}

#endif
