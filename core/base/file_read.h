/* SPDX-License-Identifier: MIT
 *
 * Files to be read: images, settings, sessions, steps, metadata. Whatever a name stands for, reading it neither waits nor
 * fills the memory: what is not a regular file (a pipe, a device, a folder), or is larger than it may be, is an error.
 */
#ifndef CORE_BASE_FILE_READ_H
#define CORE_BASE_FILE_READ_H

#include "core/base/file_error.h"

#include <sys/stat.h>

/* A descriptor for reading, and what the file is. flags: besides those that it always has, such as O_NOFOLLOW. -1 with *error
 * (FILE_ERROR), which is FILE_ERROR_MISSING when there is no such file. */
int file_open_regular (const char *path, int flags, struct stat *about, GError **error);
/* Asks the system to begin reading a file, the first 64 MiB of it, for somebody who is going to read it, and who is told what is wrong with it. */
void file_read_ahead (const char *path);
/* All of a file of at most `largest` bytes, with a NUL after its *n bytes. NULL with *error. Free with g_free(). */
char *file_read_small (const char *path, int flags, gsize largest, gsize *n, GError **error);

#endif
