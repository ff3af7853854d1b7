/* SPDX-License-Identifier: MIT
 *
 * Unfinished files and folders that have a name, .fovea-*.part. They go when the program ends by a signal. Those that a program
 * left when it was killed go when something is saved beside them.
 */
#ifndef CORE_BASE_FILE_TEMPORARY_H
#define CORE_BASE_FILE_TEMPORARY_H

#include <glib.h>

/* Room for such a name. */
#define FILE_TEMPORARY_NAME 32

/* Writes a new name; from now on a signal removes a file of that name in the folder. */
void file_temporary_new (int folder, char *name);
/* The file no longer exists. */
void file_temporary_forget (const char *name);
/* Locks a file with such a name, now or later, so that it is not collected as a leftover; FALSE if it is about to be
 * removed. */
gboolean file_temporary_lock (int fd);
/* Removes all of this process. Safe in a signal's handler. */
void file_temporary_remove_all (void);
/* Removes what processes that are dead have left in the folder; the first time that it is asked to. */
void file_temporary_collect (int folder);

#endif
