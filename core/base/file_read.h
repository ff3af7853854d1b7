/* SPDX-License-Identifier: MIT
 *
 * Reads files: images, settings, sessions, steps, metadata. Reading never blocks or fills the memory: a file that is
 * not regular (a pipe, a device, a folder) or too large is an error.
 */
#ifndef CORE_BASE_FILE_READ_H
#define CORE_BASE_FILE_READ_H

#include "core/base/file_error.h"

#include <stdio.h>
#include <sys/stat.h>

/* Opens for reading and returns the file's status. flags: in addition to the usual ones, such as O_NOFOLLOW. -1 with
 * *error (FILE_ERROR), which is FILE_ERROR_MISSING if the file does not exist. */
int file_open_regular (const char *path, int flags, struct stat *about, GError **error);
/* The same as a stream; NULL with *error. Close with fclose(). */
FILE *file_open_stream (const char *path, struct stat *about, GError **error);
/* Asks the system to prefetch the first 64 MiB of a file. Errors are left to the later read. */
void file_read_ahead (const char *path);
/* All of a file of at most `largest` bytes, with a NUL after its *n bytes. NULL with *error. Free with g_free(). */
char *file_read_small (const char *path, int flags, gsize largest, gsize *n, GError **error);

#endif
