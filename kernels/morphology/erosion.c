/* SPDX-License-Identifier: MIT
 *
 * erosion: out(p) = min over o in F of in(p + o), for the footprint F, `iterations` times.
 * Border, NaN rule, reference and all of the code: morphology.h.
 */
#include "kernels/morphology/morphology.h"

const fv_op fv_op_erosion = {
  MORPHOLOGY_OP (MORPHOLOGY_EROSION),
  .key = "erosion",
  .label = "Erode",
  .search = "morphology shrink thin minimum",
  .help = "Replaces each pixel by the minimum over the footprint around it (NaN where it holds one): a mask shrinks.",
  .values = FV_VALUES_SAME,
};
