/* SPDX-License-Identifier: MIT
 *
 * XXH3 with 128 bits of all bytes of a file, made of what is read of it for another reason, so that it is not read twice.
 */
#ifndef CORE_BASE_FILE_HASH_H
#define CORE_BASE_FILE_HASH_H

#include "core/base/file_error.h"

enum { FILE_HASH_TEXT = 33 }; /* hexadecimal digits, and a NUL */

typedef struct FileHash FileHash;
FileHash *file_hash_new (void);
void file_hash_free (FileHash *hash);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FileHash, file_hash_free)
/* n bytes were read of the file, whose descriptor is fd, from `at` on. Those count that follow on what came before; what was skipped is read
 * when it is little. Any thread. */
void file_hash_saw (FileHash *hash, int fd, guint64 at, const void *bytes, gsize n);
/* Reads what is left; the hash is then known, and can be asked for again. path: for errors. Stops when the work of the thread shall. FALSE with
 * *error. Any thread. */
gboolean file_hash_end (FileHash *hash, int fd, const char *path, char text[FILE_HASH_TEXT], GError **error);
/* The hash of a file of which nothing has been read; of a folder that of the hashes and names of all its files. */
gboolean file_hash_of_path (const char *path, char text[FILE_HASH_TEXT], GError **error);
/* The same of a text. */
void file_hash_of_text (const char *from, gsize n, char text[FILE_HASH_TEXT]);

#endif
