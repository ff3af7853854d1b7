/* SPDX-License-Identifier: MIT
 *
 * Which files a macro may read and write: those below folders that the user has named or opened something of, and never again what it has
 * read.
 */
#ifndef CORE_MACRO_FOLDERS_H
#define CORE_MACRO_FOLDERS_H

#include "core/macro/host.h"

typedef struct Folders Folders;

/* home: the folder that names without one mean, which is allowed. NULL: the working folder, which is not. host: is asked about folders that nobody has named. */
Folders *folders_new (const char *home, const MacroHost *host);
void folders_free (Folders *folders);
const char *folders_home (const Folders *folders);
void folders_allow (Folders *folders, const char *folder);
/* Says to the host that a file is read. */
void folders_tell (const Folders *folders, const char *path);
/* A file that has been read, and is not to be written. */
void folders_protect (Folders *folders, const char *path);

/* The whole path of a file or folder to be looked at; NULL with *error when it may not be. Free with g_free(). */
char *folders_read (const Folders *folders, const char *path, GError **error);
/* The same of one to be written. */
char *folders_write (const Folders *folders, const char *path, GError **error);

#endif
