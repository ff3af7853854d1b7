/* SPDX-License-Identifier: MIT
 *
 * A local operation on an image that does not fit on the device: part by part, each with its halo, from host memory to host
 * memory. A part is some planes or, where planes belong together or one alone is too large, a strip of rows.
 */
#ifndef CORE_RUN_CALL_PARTS_H
#define CORE_RUN_CALL_PARTS_H

#include "core/run/call_context.h"

/* FALSE with FV_NO_MEMORY when the operation cannot be cut, or not finely enough. */
gboolean call_parts_run (CallContext *c, const ImageInfo *infos, GError **error);

#endif
