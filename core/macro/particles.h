/* SPDX-License-Identifier: MIT
 *
 * ImageJ's Analyze Particles, and what it measures.
 */
#ifndef CORE_MACRO_PARTICLES_H
#define CORE_MACRO_PARTICLES_H

#include "core/macro/state.h"

/* Commands of run(). */
int particles_analyze (lua_State *L, Macro *m, const char *command, const char *arguments);
int particles_set_measurements (lua_State *L, Macro *m, const char *command, const char *arguments);

#endif
