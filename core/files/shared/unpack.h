/* SPDX-License-Identifier: MIT
 *
 * Files, and parts of files, that are packed by gzip or zlib.
 */
#ifndef CORE_FILES_SHARED_UNPACK_H
#define CORE_FILES_SHARED_UNPACK_H

#include "core/files/shared/bytes.h"

/* Whether a file that begins so is packed by gzip. */
gboolean files_is_gzip (const guint8 *head, gsize n);
/* What the bytes from `at` on unpack to, at most `room` bytes of it. How many: 0 when they cannot be unpacked, or to nothing. */
gsize files_unpack_head (FilesBytes *packed, guint64 at, guint8 *to, gsize room);
/* The same of a file. */
gsize files_unpack_head_of (const char *path, guint8 *to, gsize room);
/* Whether n packed bytes can unpack to so many. FALSE with *error. */
gboolean files_unpack_check (const char *path, guint64 n, guint64 size, GError **error);
/* The first `size` bytes that the n bytes from `at` on unpack to: in memory, or on disk when memory is short. Members of gzip follow each other. A size
 * that n bytes cannot have is refused before anything is allocated. NULL with *error. */
FilesBytes *files_unpack (FilesBytes *packed, guint64 at, guint64 n, guint64 size, GError **error);

/* The same of n bytes in memory, which make exactly `size`. FALSE when they do not. */
gboolean files_unpack_bytes (const guint8 *packed, gsize n, guint8 *to, gsize size);

#endif
