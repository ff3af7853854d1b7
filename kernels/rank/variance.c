/* SPDX-License-Identifier: MIT
 *
 * variance: out(p) = the mean square deviation of the n pixels in the footprint around p from their mean.
 * Border, NaN rule, reference and all of the code: sums.h.
 */
#include "kernels/rank/sums.h"

#include "kernels/common/imagej.h"

const fv_op fv_op_variance = {
  SUMS_OP (SUMS_VARIANCE),
  .key = "variance",
  .label = "Variance...",
  .search = "rank filter texture standard deviation edges",
  .imagej = (const fv_imagej[]){{.command = "Variance...",
                                 .args = "output=same",
                                 IMAGEJ_WORDS ({"radius=", ""}, IMAGEJ_STACK),
                                 IMAGEJ_FILTER,
                                 .range = FV_IMAGEJ_RANGE_OTHER,
                                 .rounded = FV_IMAGEJ_16_BIT},
                                {0}},
  .help =
    "Replaces each pixel by the variance over the footprint around it (NaN where it holds one): texture and edges.",
};
