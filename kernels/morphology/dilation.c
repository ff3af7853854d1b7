/* SPDX-License-Identifier: MIT
 *
 * dilation: out(p) = max over o in F of in(p + o), for the footprint F, `iterations` times.
 * Border, NaN rule, reference and all of the code: morphology.h.
 */
#include "kernels/morphology/morphology.h"

#include "kernels/common/imagej.h"

const fv_op fv_op_dilation = {
  MORPHOLOGY_OP (MORPHOLOGY_DILATION),
  .key = "dilation",
  .label = "Dilate",
  .search = "morphology grow thicken maximum expand",
  .imagej =
    (const fv_imagej[]){{.command = "Dilate", .args = "footprint=square", IMAGEJ_WORDS (IMAGEJ_STACK), IMAGEJ_MASK},
                        {0}},
  .help = "Replaces each pixel by the maximum over the footprint around it (NaN where it holds one): a mask grows.",
  .values = FV_VALUES_SAME,
};
