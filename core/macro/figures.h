/* SPDX-License-Identifier: MIT
 *
 * Macros make figures.
 */
#ifndef CORE_MACRO_FIGURES_H
#define CORE_MACRO_FIGURES_H

#include "core/macro/state.h"

/* A command of run(): path=FILE and what a figure is to look like. */
int figures_export (lua_State *L, Macro *m, const char *command, const char *arguments);

#endif
