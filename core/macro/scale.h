/* SPDX-License-Identifier: MIT
 *
 * ImageJ's Set Scale: how large a pixel is, of the current image or of all.
 */
#ifndef CORE_MACRO_SCALE_H
#define CORE_MACRO_SCALE_H

#include "core/macro/state.h"

/* A command of run(). */
int scale_set (lua_State *L, Macro *m, const char *command, const char *arguments);
/* An image of a file has been opened: it gets the scale that was set for all. */
void scale_opened (Macro *m, guint image);

#endif
