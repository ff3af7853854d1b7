/* SPDX-License-Identifier: MIT
 *
 * Where a macro may read and write: below folders that the user has named or opened something of, and never over what it has read.
 */
#ifndef CORE_MACRO_FOLDERS_H
#define CORE_MACRO_FOLDERS_H

#include "core/macro/host/host.h"

typedef struct Folders Folders;

/* Why a folder is allowed. In the home folder, and those that hold it, only what the user has named allows to write below. */
typedef enum FoldersWhy {
  FOLDERS_NAMED,  /* by the user */
  FOLDERS_OPENED, /* the macro lies there, or an image that the user has given to it */
  FOLDERS_SEEN,   /* the user has agreed, or it has files that were opened, perhaps by a macro: it must not be hidden */
  FOLDERS_BESIDE, /* the macro has opened an image below the home folder: in it alone */
} FoldersWhy;

/* home: the folder for names without one, which is allowed. NULL: the working folder, which is not allowed. host: is
 * asked about other folders. */
Folders *folders_new (const char *home, const MacroHost *host);
void folders_free (Folders *folders);
const char *folders_home (const Folders *folders);
void folders_allow (Folders *folders, const char *folder, FoldersWhy why);
/* The macro has opened an image: it may write beside that, unless the folder is a hidden one. */
void folders_opened (Folders *folders, const char *path);
/* Reports to the host that a file is read. */
void folders_tell (const Folders *folders, const char *path);
/* A file that has been read, and is not to be written. */
void folders_protect (Folders *folders, const char *path);

/* The absolute path of a file or folder that may be read; NULL with *error. Free with g_free(). */
char *folders_read (Folders *folders, const char *path, GError **error);
/* The image is read from other files, too: files_others(). FALSE with *error when they may not be read. */
gboolean folders_take_others (Folders *folders, Image *image, GError **error);
/* Where a file or folder of that name would be made: absolute, with all links of its folder followed. NULL with *error when that may not be:
 * it is hidden, a link, or lies elsewhere. Free with g_free(). */
char *folders_write (Folders *folders, const char *path, GError **error);
/* FALSE with *error if folders_protect() protects the file. */
gboolean folders_check_unread (const Folders *folders, const char *path, GError **error);

#endif
