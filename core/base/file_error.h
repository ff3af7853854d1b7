/* SPDX-License-Identifier: MIT
 *
 * What can be wrong with a file, in errors that name it.
 */
#ifndef CORE_BASE_FILE_ERROR_H
#define CORE_BASE_FILE_ERROR_H

#include <glib.h>

typedef enum {
  FILE_ERROR_OPEN,        /* not there, not readable, a folder */
  FILE_ERROR_MISSING,     /* not there, where that need not be a fault: file_read.h */
  FILE_ERROR_FORMAT,      /* not an image file that can be read */
  FILE_ERROR_DAMAGED,     /* truncated, inconsistent, or claims more than it holds */
  FILE_ERROR_UNSUPPORTED, /* a known format's feature that is not supported; says which */
  FILE_ERROR_WRITE,       /* could not be written; nothing was left behind */
} FileError;
#define FILE_ERROR file_error_quark ()
GQuark file_error_quark (void);
/* Sets *error to "'path' text", one sentence; returns FALSE. For readers and writers. */
gboolean file_fail (GError **error, FileError code, const char *path, const char *format, ...) G_GNUC_PRINTF (4, 5);

#endif
