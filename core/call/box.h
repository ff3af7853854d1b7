/* SPDX-License-Identifier: MIT
 *
 * The step crop on an image of a file of which nothing is in memory: only its part is read, to host memory. So a part of a slide costs what the part
 * costs, however large the slide is.
 */
#ifndef CORE_CALL_BOX_H
#define CORE_CALL_BOX_H

#include "core/call/context.h"

/* Whether the operation copies a box of its input and needs nothing else of it. */
gboolean call_box_is (const Op *op);
/* Whether the call can be done in this way. */
gboolean call_box_suits (const CallContext *c);
/* FALSE with *error. */
gboolean call_box_run (CallContext *c, const ImageInfo *infos, GError **error);

#endif
