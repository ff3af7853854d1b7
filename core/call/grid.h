/* SPDX-License-Identifier: MIT
 *
 * A group is the planes that one call of a plugin gets: all of them (FV_PLANES), the z-stack of one channel and time
 * (FV_STACK), all channels of one time (FV_FRAME), or the whole image (FV_SERIES).
 */
#ifndef CORE_CALL_GRID_H
#define CORE_CALL_GRID_H

#include "core/data/image.h"
#include "core/ops/module.h"

/* What the first input is; of an operation that is given none a pixel without calibration. */
const ImageInfo *call_first (const Op *op, Image *const *inputs);
fv_grain call_grain (const Op *op, gconstpointer args);
gint64 call_groups (fv_grain grain, const ImageInfo *info);
/* Grids of the inputs and, inferred, of the outputs of one group. */
gboolean call_grids (const Op *op, gconstpointer args, Image *const *inputs, fv_grid *in, fv_grid *out, GError **error);
/* The whole output images that such groups make up: n_outputs infos, to be cleared by the caller. If left is not NULL, *left becomes a list of the
 * metadata of the first input that cannot be transferred, such as "world coordinates, overlay", or NULL. Free with g_free(). */
gboolean call_infos (const Op *op, gconstpointer args, Image *const *inputs, const fv_grid *in, const fv_grid *out,
                     ImageInfo *outputs, char **left, GError **error);
/* What the outputs would be, without running: n_outputs infos, to be cleared by the caller. */
gboolean call_infer (const Op *op, gconstpointer args, Image *const *inputs, ImageInfo *outputs, GError **error);

#endif
