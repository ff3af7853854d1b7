/* SPDX-License-Identifier: MIT
 *
 * maximum: out(p) = the greatest of the pixels in the footprint around p.
 * Border, NaN rule, reference and all of the code: rank.h.
 */
#include "kernels/rank/rank.h"

#include "kernels/common/imagej.h"

const fv_op fv_op_maximum = {
  RANK_OP (RANK_MAXIMUM, rank_params),
  .key = "maximum",
  .label = "Maximum...",
  .search = "rank filter dilate brightest",
  .imagej =
    (const fv_imagej[]){{.command = "Maximum...", IMAGEJ_WORDS ({"radius=", ""}, IMAGEJ_STACK), IMAGEJ_FILTER}, {0}},
  .help = "Replaces each pixel by the maximum over the footprint around it (NaN where it holds one).",
  .values = FV_VALUES_SAME,
};
