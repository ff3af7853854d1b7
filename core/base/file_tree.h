/* SPDX-License-Identifier: MIT
 *
 * All files of a folder, for images that are a folder: OME-Zarr, a series of DICOM files.
 */
#ifndef CORE_BASE_FILE_TREE_H
#define CORE_BASE_FILE_TREE_H

#include "core/base/file_error.h"

#include <sys/stat.h>

enum { FILE_TREE_DEEPEST = 64 /* folders in folders */ };

/* Called with a file's path, its path below the folder, and its status. FALSE with *error ends the walk. */
typedef gboolean (*FileTreeVisit) (const char *path, const char *below, const struct stat *about, gpointer data,
                                   GError **error);

/* Visits the regular files of a folder and its subfolders, also hidden ones and those that links lead to, in the order of the bytes of their
 * names. Links to folders are not followed. Stops when the work of the thread shall. FALSE with *error. Any thread. */
gboolean file_tree_walk (const char *folder, FileTreeVisit visit, gpointer data, GError **error);

#endif
