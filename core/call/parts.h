/* SPDX-License-Identifier: MIT
 *
 * A local operation on an image that does not fit: part by part, each with its halo, from host memory, or the image's file, to host memory. A part is
 * some planes or, where planes belong together or one alone is too large, a strip of rows.
 */
#ifndef CORE_CALL_PARTS_H
#define CORE_CALL_PARTS_H

#include "core/call/context.h"

/* How many rows of a plane, or of all planes that belong together, make a part of so many bytes. 0: the operation cannot be divided, or would mostly
 * compute halos. The grids `in` and `out` are those of one group. Inputs that are NULL are not given. */
gint64 call_parts_rows (const Op *op, gconstpointer args, Image *const *inputs, const fv_grid *in, const fv_grid *out,
                        gsize bytes);
/* FALSE with FV_NO_MEMORY when the operation cannot be cut, or not finely enough. */
gboolean call_parts_run (CallContext *c, const ImageInfo *infos, GError **error);

#endif
