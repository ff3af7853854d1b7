/* SPDX-License-Identifier: MIT
 *
 * tophat: out = in - opening (in): what the footprint does not fit into, upon a background of 0.
 * Border, NaN rule, reference and all of the code: hat.h.
 */
#include "kernels/morphology/hat.h"

const fv_op fv_op_tophat = {
  HAT_OP (HAT_WHITE),
  .key = "tophat",
  .label = "Top Hat...",
  .search = "morphology white subtract background spots uneven illumination rolling ball",
  .help =
    "Subtracts the opening: what is bright and smaller than the footprint stays, without background (NaN spreads).",
  .values = FV_VALUES_UNIT,
};
