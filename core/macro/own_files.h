/* SPDX-License-Identifier: MIT
 *
 * What a macro has saved it may save again when it runs another time, as long as nobody has changed it since. An extended attribute of the
 * file says so; where the file system keeps none, the user says whether it is replaced.
 */
#ifndef CORE_MACRO_OWN_FILES_H
#define CORE_MACRO_OWN_FILES_H

#include <glib.h>

/* The macro has just written this file. macro: its own file; NULL: it has none, and nothing is marked. Paths are absolute. */
void own_files_mark (const char *path, const char *macro);
/* Whether that macro was the last to write this file. */
gboolean own_files_has (const char *path, const char *macro);

#endif
