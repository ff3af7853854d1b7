/* SPDX-License-Identifier: MIT
 *
 * Files that the steps of a macro take: it has to be allowed to read them, and those without a folder lie in its own.
 */
#ifndef CORE_MACRO_STEP_FILES_H
#define CORE_MACRO_STEP_FILES_H

#include "core/macro/state.h"

/* The steps with absolute paths; owned. before: steps, or NULL, whose files were chosen elsewhere. Raises an error
 * when a file may not be read. */
Recipe *step_files_whole (Macro *m, const Recipe *recipe, const Recipe *before);

#endif
