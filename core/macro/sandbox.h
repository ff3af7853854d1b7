/* SPDX-License-Identifier: MIT
 *
 * What a macro finds when it begins: Lua's functions that reach nothing outside, and those of macros.
 */
#ifndef CORE_MACRO_SANDBOX_H
#define CORE_MACRO_SANDBOX_H

#include "core/macro/state.h"

void sandbox_open (lua_State *L);
/* After each lua_pcall(), with the number of owned objects before: whether the macro continues, even if an error was
 * caught. */
gboolean sandbox_settle (Macro *m, int status, guint owned);
/* The handler of errors: adds to the message, where a name is nothing, what it may have been meant to be. */
int sandbox_explain (lua_State *L);
/* The same for the syntax error on the top of the stack. */
void sandbox_explain_syntax (lua_State *L);

#endif
