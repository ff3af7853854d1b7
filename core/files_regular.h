/* SPDX-License-Identifier: MIT
 *
 * The one way to open a file for reading, whether a person or another file named it: a FIFO would wait for ever and a
 * device never end, so only regular files are opened, whatever links lead to them.
 */
#ifndef CORE_FILES_REGULAR_H
#define CORE_FILES_REGULAR_H

#include <glib.h>

/* A descriptor, to be closed, of a file with content, and its size; -1 with *error. */
int files_regular_open (const char *path, guint64 *size, GError **error);
/* The whole content with a NUL behind it, free with g_free(); NULL with *error, also when it is more than `most` bytes. */
char *files_regular_read (const char *path, gsize most, gsize *size, GError **error);

#endif
