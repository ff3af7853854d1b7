/* SPDX-License-Identifier: MIT
 *
 * Commands of ImageJ whose meaning depends on more than their line.
 */
#ifndef CORE_MACRO_IMAGEJ_H
#define CORE_MACRO_IMAGEJ_H

#include "core/macro/state.h"

/* "Convert to Mask": by the threshold that was set, or by that of its arguments. */
int imagej_mask (lua_State *L, Macro *m, const char *command, const char *arguments);
/* "Outline" of a mask. */
int imagej_outline (lua_State *L, Macro *m, const char *command, const char *arguments);
/* What changes nothing but how an image is shown. */
int imagej_shown (lua_State *L, Macro *m, const char *command, const char *arguments);

#endif
