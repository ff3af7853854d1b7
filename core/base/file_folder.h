/* SPDX-License-Identifier: MIT
 *
 * Folders by descriptor, so that a link put into a path after the check has no effect.
 */
#ifndef CORE_BASE_FILE_FOLDER_H
#define CORE_BASE_FILE_FOLDER_H

#include <glib.h>

/* A descriptor of a folder for openat(), mkdirat() and so on, to be closed; -1 with errno, where a component of the path is a link, too.
 * path: absolute, or relative to the folder `from`. */
int file_folder_open (int from, const char *path);
/* Renames a file; FALSE with errno, which is EEXIST where something has the new name. Names are relative to the folders. */
gboolean file_rename_to_new (int from, const char *name, int to, const char *new_name);
/* Makes the folders above a file, whose name is relative to the folder. FALSE with errno. */
gboolean file_folder_make (int folder, const char *name);
/* Removes a folder of that name in the folder, with all that is in it, or a file. No link is followed. Safe in a signal's handler. */
void file_folder_remove (int folder, const char *name);

#endif
