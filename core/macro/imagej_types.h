/* SPDX-License-Identifier: MIT
 *
 * ImageJ's conversions of types and Invert, which depend on the range of values in which it shows an image.
 */
#ifndef CORE_MACRO_IMAGEJ_TYPES_H
#define CORE_MACRO_IMAGEJ_TYPES_H

#include "core/macro/state.h"

/* Commands of run(): "8-bit", "16-bit", "32-bit", and "Invert". */
int imagej_type (lua_State *L, Macro *m, const char *command, const char *arguments);
int imagej_invert (lua_State *L, Macro *m, const char *command, const char *arguments);

#endif
