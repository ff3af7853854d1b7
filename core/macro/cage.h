/* SPDX-License-Identifier: MIT
 *
 * The one way in which macros make files and folders: each function says here where it is about to write, and can make that file alone, until it
 * returns. A macro writes only files that writers.h lists, with its endings, where folders.h allows it, and no hidden ones (names.h). It replaces
 * files that it has made itself, in this run or, unchanged, an earlier one; others only if the user wishes.
 */
#ifndef CORE_MACRO_CAGE_H
#define CORE_MACRO_CAGE_H

#include "core/macro/state.h"

/* On the thread of the macro: when it begins, and when it has ended. */
void cage_begin (Macro *m);
void cage_end (Macro *m);
/* The whole path of the file that the function of the macro that runs may write now; raises an error where it may not. Owned. command: its
 * first argument, if that decides what it writes, else NULL. */
const char *cage_file (Macro *m, const char *command, const char *path);
/* Makes a folder unless it is there; raises an error where it may not be. */
void cage_make_folder (Macro *m, const char *path);
/* The function has returned, or raised an error. */
void cage_leave (Macro *m, gboolean done);

#endif
