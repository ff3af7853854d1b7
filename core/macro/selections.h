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
/* What "Plot Profile" is in steps: the arguments of `profile`. Owned. */
const char *selections_profile (Macro *m, const char *command, const char *arguments);

/* The current one; raises an error when nothing is selected. Owned. */
Selection *selections_current_or_fail (Macro *m);
/* Adds rows about these selections to the table of measurements. Measures in the image of the step with that number, or in the last one if it is
 * NULL. */
void selections_measure_these (Macro *m, const GPtrArray *selections, gboolean kept, const char *step);

#endif
