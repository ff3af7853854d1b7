/* SPDX-License-Identifier: MIT
 *
 * minimum: out(p) = the least of the pixels in the footprint around p.
 * Border, NaN rule, reference and all of the code: rank.h.
 */
#include "kernels/rank/rank.h"

#include "kernels/common/imagej.h"

const fv_op fv_op_minimum = {
  RANK_OP (RANK_MINIMUM, rank_params),
  .key = "minimum",
  .label = "Minimum...",
  .search = "rank filter erode darkest",
  .imagej = (const fv_imagej[]){{.command = "Minimum...", IMAGEJ_WORDS ({"radius=", ""}, IMAGEJ_STACK), IMAGEJ_FILTER},
                                {.command = "Erode",
                                 .args = "footprint=square radius=1 border=constant",
                                 IMAGEJ_WORDS (IMAGEJ_STACK),
                                 IMAGEJ_MASK},
                                {0}},
  .help = "Replaces each pixel by the minimum over the footprint around it (NaN where it holds one).",
  .values = FV_VALUES_SAME,
};
