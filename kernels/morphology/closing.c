/* SPDX-License-Identifier: MIT
 *
 * closing: dilations with the footprint F, then as many erosions with F mirrored: gaps that F does not fit into go.
 * Border, NaN rule, reference and all of the code: morphology.h.
 */
#include "kernels/morphology/morphology.h"

const fv_op fv_op_closing = {
  MORPHOLOGY_OP (MORPHOLOGY_CLOSING),
  .key = "closing",
  .label = "Close-",
  .search = "morphology close gaps join",
  .help = "Dilates, then erodes as often: fills what is dark and smaller than the footprint (NaN spreads).",
  .values = FV_VALUES_SAME,
};
