/* SPDX-License-Identifier: MIT
 *
 * Selections as other functions of macros need them.
 */
#ifndef CORE_MACRO_SELECTIONS_H
#define CORE_MACRO_SELECTIONS_H

#include "core/macro/state.h"

/* Commands of run(). */
int selections_set (lua_State *L, Macro *m, const char *command, const char *arguments);
int selections_none (lua_State *L, Macro *m, const char *command, const char *arguments);
int selections_all (lua_State *L, Macro *m, const char *command, const char *arguments);
int selections_measure (lua_State *L, Macro *m, const char *command, const char *arguments);
/* Saves those that are kept, or where there are none the current one, as .roi or .zip. */
void selections_save (Macro *m, const char *path);

#endif
