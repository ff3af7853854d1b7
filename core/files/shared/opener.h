/* SPDX-License-Identifier: MIT
 *
 * Opens the files of a data set, such as a plate, each with the reader of its format. Formats cannot include the list of formats, which includes
 * them. So core/files/files.c sets this before it makes a layout.
 */
#ifndef CORE_FILES_SHARED_OPENER_H
#define CORE_FILES_SHARED_OPENER_H

#include "core/data/image.h"

/* Any thread. */
typedef struct FilesOpener {
  /* How many images a file has; 0 with *error. *others: paths of the other files that they are read from, or NULL; free with g_ptr_array_unref(). */
  guint (*count) (const char *path, GPtrArray **others, GError **error);
  /* Image n of a file. NULL with *error. */
  Image *(*open) (const char *path, guint n, GError **error);
  /* What its headers say, without reading pixels; *depends: see FileFormat. Clear *info. FALSE with *error. */
  gboolean (*describe) (const char *path, guint n, ImageInfo *info, const char **depends, GError **error);
} FilesOpener;

/* It lives as long as the program. */
void files_opener_set (const FilesOpener *opener);
const FilesOpener *files_opener (void);

#endif
