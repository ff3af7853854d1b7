/* SPDX-License-Identifier: MIT
 *
 * mean: out(p) = the sum of the n pixels in the footprint around p / n.
 * Border, NaN rule, reference and all of the code: sums.h.
 */
#include "kernels/rank/sums.h"

const fv_op fv_op_mean = {
  SUMS_OP (SUMS_MEAN),
  .key = "mean",
  .label = "Mean...",
  .search = "rank filter average box smooth blur denoise noise",
  .help = "Replaces each pixel by the mean over the footprint around it (NaN where it holds one).",
  .values = FV_VALUES_SAME,
};
