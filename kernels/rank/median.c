/* SPDX-License-Identifier: MIT
 *
 * median: out(p) = number n / 2, from 0, of the n pixels in the footprint around p, sorted.
 * Border, NaN rule, reference and all of the code: rank.h.
 */
#include "kernels/rank/rank.h"

#include "kernels/common/imagej.h"

const fv_op fv_op_median = {
  RANK_OP (RANK_MEDIAN, rank_params),
  .key = "median",
  .label = "Median...",
  .search = "rank filter despeckle salt pepper smooth denoise noise outliers",
  .imagej =
    (const fv_imagej[]){{.command = "Median...", IMAGEJ_WORDS ({"radius=", ""}, IMAGEJ_STACK), IMAGEJ_FILTER}, {0}},
  .help =
    "Replaces each pixel by the median over the footprint around it (NaN where it holds one): noise goes, edges stay.",
  .values = FV_VALUES_SAME,
};
