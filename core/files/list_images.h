/* SPDX-License-Identifier: MIT
 */
#ifndef CORE_FILES_LIST_IMAGES_H
#define CORE_FILES_LIST_IMAGES_H

#include "core/base/file_error.h"

/* The images of a folder, by the endings of their names and in natural order; if it has none itself, those of its subfolders with their paths below it.
 * Array of char *. NULL with *error. */
GPtrArray *files_list_images (const char *folder, GError **error);

#endif
