/* SPDX-License-Identifier: MIT
 *
 * Lists of file names.
 */
#ifndef COMMAND_LISTS_H
#define COMMAND_LISTS_H

#include <glib.h>

/* Adds to names, an array of char *, those of a list: a file, or standard input for NULL; one in each line or, zeros, up to each NUL. FALSE with
 * *error. */
gboolean lists_read (GPtrArray *names, const char *path, gboolean zeros, GError **error);

#endif
