/* SPDX-License-Identifier: MIT
 *
 * mean: out(p) = the sum of the n pixels in the footprint around p / n.
 * Border, NaN rule, reference and all of the code: sums.h.
 */
#include "kernels/rank/sums.h"

#include "kernels/common/imagej.h"

const fv_op fv_op_mean = {
  SUMS_OP (SUMS_MEAN),
  .key = "mean",
  .label = "Mean...",
  .search = "rank filter average box smooth blur denoise noise",
  .imagej = (const fv_imagej[]){{.command = "Mean...",
                                 .args = "output=same",
                                 IMAGEJ_WORDS ({"radius=", ""}, IMAGEJ_STACK),
                                 IMAGEJ_FILTER,
                                 .rounded = FV_IMAGEJ_16_BIT},
                                {0}},
  .help = "Replaces each pixel by the mean over the footprint around it (NaN where it holds one).",
  .values = FV_VALUES_SAME,
};
