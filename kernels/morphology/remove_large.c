/* SPDX-License-Identifier: MIT
 *
 * remove_large: the objects of at most max_size pixels. The code: pieces.h.
 */
#include "kernels/morphology/pieces.h"

const fv_op fv_op_remove_large = {
  PIECES_OP (false),
  .key = "remove_large",
  .label = "Remove Large Objects...",
  .search = "filter objects particles area size clumps",
  .help = "Removes the objects of more pixels than the largest size.",
  .params = (const fv_param[]){{FV_FIELD (label_args, max_size), .label = "Largest size", .unit = FV_PIXEL_COUNT,
                                .min = 1, .max = INT32_MAX, .soft_min = 1, .soft_max = 100000, .def = 10000,
                                .help = "Objects of more pixels are removed."},
                               PIECES_CONNECTIVITY,
                               PIECES_VOLUME,
                               {0}},
};
