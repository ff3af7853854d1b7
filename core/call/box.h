/* SPDX-License-Identifier: MIT
 *
 * Steps that take a box of pixels or some planes of an image of a file, crop, substack and channel: of what is not in memory they read their part alone,
 * to host memory. So a part of a slide or of a long series costs what the part costs, however large the file is.
 */
#ifndef CORE_CALL_BOX_H
#define CORE_CALL_BOX_H

#include "core/call/context.h"

/* Whether the operation copies a box, or planes, of its one input and needs nothing else of it. */
gboolean call_box_is (const Op *op);
/* The same, and whether some of the image is still in its file alone. */
gboolean call_box_reads (const Op *op, Image *image);
/* Whether the call can be done in this way. */
gboolean call_box_suits (const CallContext *c);
/* FALSE with *error. */
gboolean call_box_run (CallContext *c, const ImageInfo *infos, GError **error);

#endif
