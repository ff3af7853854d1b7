/* SPDX-License-Identifier: MIT
 *
 * Files of formats that are known and cannot be opened: their names, and how to save them so that they can.
 */
#ifndef CORE_FILES_STRANGERS_H
#define CORE_FILES_STRANGERS_H

#include <glib.h>

/* Whether the file, which begins so, or the folder (n = 0) is of such a format: FALSE and *error has its name and what to do. */
gboolean files_strangers_check (const char *path, const guint8 *head, gsize n, GError **error);

#endif
