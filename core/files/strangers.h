/* SPDX-License-Identifier: MIT
 *
 * Files of formats that are known and cannot be opened: their names, and how to save them so that they can.
 */
#ifndef CORE_FILES_STRANGERS_H
#define CORE_FILES_STRANGERS_H

#include <glib.h>

enum { FILES_STRANGERS_HEAD = 1024 }; /* bytes of the beginning that tell them all apart */

/* Whether the file, which begins so, or the folder (n = 0) is of such a format: FALSE and *error has its name and what to do. */
gboolean files_strangers_check (const char *path, const guint8 *head, gsize n, GError **error);
/* Whether it is a DICOM file, which may begin as a file of another format. */
gboolean files_strangers_is_dicom (const guint8 *head, gsize n);

#endif
