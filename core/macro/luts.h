/* SPDX-License-Identifier: MIT
 *
 * Commands of run() that change how the channel that is looked at is shown.
 */
#ifndef CORE_MACRO_LOOKS_H
#define CORE_MACRO_LOOKS_H

#include "core/macro/state.h"

/* "open=FILE.lut", or a table that is known by its name. */
int luts_set (lua_State *L, Macro *m, const char *command, const char *arguments);
/* A table that ImageJ knows by a command of its own, such as run("Fire"). */
int luts_set_named (lua_State *L, Macro *m, const char *command, const char *arguments);

#endif
