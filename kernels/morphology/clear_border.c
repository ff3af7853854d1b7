/* SPDX-License-Identifier: MIT
 *
 * clear_border: the objects that do not touch the border of the image or, in 3-D, of the stack. The code: pieces.h.
 */
#include "kernels/morphology/pieces.h"

const fv_op fv_op_clear_border = {
  PIECES_OP (true),
  .key = "clear_border",
  .label = "Clear Border...",
  .search = "exclude on edges remove touching objects particles",
  .help = "Removes the objects that touch the border of the image.",
  .params = (const fv_param[]){PIECES_CONNECTIVITY, PIECES_VOLUME, {0}},
};
