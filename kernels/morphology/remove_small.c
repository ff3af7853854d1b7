/* SPDX-License-Identifier: MIT
 *
 * remove_small: the objects of at least min_size pixels. The code: pieces.h.
 */
#include "kernels/morphology/pieces.h"

const fv_op fv_op_remove_small = {
  PIECES_OP (false),
  .key = "remove_small",
  .label = "Remove Small Objects...",
  .search = "filter objects particles area size specks noise debris area opening",
  .help = "Removes the objects of fewer pixels than the smallest size.",
  .params =
    (const fv_param[]){{FV_FIELD (label_args, min_size), .label = "Smallest size", .unit = FV_PIXEL_COUNT,
                        .max = INT32_MAX, .soft_max = 10000, .def = 64, .help = "Objects of fewer pixels are removed."},
                       PIECES_CONNECTIVITY,
                       PIECES_VOLUME,
                       {0}},
};
