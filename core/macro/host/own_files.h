/* SPDX-License-Identifier: MIT
 *
 * A macro may overwrite its own earlier output as long as the file was not changed since. An extended attribute of
 * the file records this; on file systems without attributes, the user is asked.
 */
#ifndef CORE_MACRO_HOST_OWN_FILES_H
#define CORE_MACRO_HOST_OWN_FILES_H

#include <glib.h>

/* The macro has just written this file. macro: its own file; NULL: it has none, and nothing is marked. Paths are absolute. */
void own_files_mark (const char *path, const char *macro);
/* Whether that macro was the last to write this file. */
gboolean own_files_has (const char *path, const char *macro);

#endif
