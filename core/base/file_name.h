/* SPDX-License-Identifier: MIT
 *
 * What people call files. The name of a file that they gave another way than by its path, such as a URL, is kept here.
 */
#ifndef CORE_BASE_FILE_NAME_H
#define CORE_BASE_FILE_NAME_H

#include <glib.h>

/* From now on messages call the file at the path `given`. NULL: as its path again. Any thread. */
void file_name_set (const char *path, const char *given);
/* The given name, or else the path; bytes of any kind. Free with g_free(). */
char *file_name_given (const char *path);
/* Its last part in UTF-8, as images are called: "cells.tif" of https://host/a/cells.tif?raw=1. Free with g_free(). */
char *file_name_short (const char *path);

#endif
