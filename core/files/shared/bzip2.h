/* SPDX-License-Identifier: MIT
 *
 * bzip2 by libbz2, which every Debian has.
 */
#ifndef CORE_FILES_SHARED_BZIP2_H
#define CORE_FILES_SHARED_BZIP2_H

#include "core/files/shared/bytes.h"

/* Whether the library is there; before anything else here. FALSE with *error, about a file. Any thread, as all of them. */
gboolean files_bzip2_can (const char *path, GError **error);
/* Whether so many packed bytes can be `size` bytes. FALSE with *error. */
gboolean files_bzip2_check (const char *path, guint64 packed, guint64 size, GError **error);
/* n bytes, which make exactly `size`. FALSE when they do not. */
gboolean files_bzip2_unpack (const guint8 *packed, gsize n, guint8 *to, gsize size);
/* The first `size` bytes that a file from `at` on unpacks to: in memory, or on disk when memory is short. Streams follow each other. A size that they
 * cannot have is refused before anything is allocated. NULL with *error. */
FilesBytes *files_bzip2_unpack_file (FilesBytes *packed, guint64 at, guint64 size, GError **error);

#endif
