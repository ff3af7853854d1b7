/* SPDX-License-Identifier: MIT
 *
 * opening: erosions with the footprint F, then as many dilations with F mirrored: what F fits into stays.
 * Border, NaN rule, reference and all of the code: morphology.h.
 */
#include "kernels/morphology/morphology.h"

const fv_op fv_op_opening = {
  MORPHOLOGY_OP (MORPHOLOGY_OPENING),
  .key = "opening",
  .label = "Open",
  .search = "morphology open despeckle remove small",
  .help = "Erodes, then dilates as often: removes what is bright and smaller than the footprint (NaN spreads).",
  .values = FV_VALUES_SAME,
};
