/* SPDX-License-Identifier: MIT
 *
 * ImageJ's Image Sequence: the images of a folder as one stack.
 */
#ifndef CORE_MACRO_SEQUENCES_H
#define CORE_MACRO_SEQUENCES_H

#include "core/macro/state.h"

/* A command of run(): "dir=FOLDER filter=DAPI sort". */
int sequences_import (lua_State *L, Macro *m, const char *command, const char *arguments);

#endif
