/* SPDX-License-Identifier: MIT
 *
 * blackhat: out = closing (in) - in: how much darker than its surroundings is what the footprint does not fit into.
 * Border, NaN rule, reference and all of the code: hat.h.
 */
#include "kernels/morphology/hat.h"

const fv_op fv_op_blackhat = {
  HAT_OP (HAT_BLACK),
  .key = "blackhat",
  .label = "Black Hat...",
  .search = "morphology bottom hat dark spots closing",
  .help =
    "Subtracts the image from its closing: what is dark and smaller than the footprint becomes bright (NaN spreads).",
  .values = FV_VALUES_UNIT,
};
