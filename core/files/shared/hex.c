/* SPDX-License-Identifier: MIT
 */
#include "core/files/shared/hex.h"

#include "core/base/file_error.h"
#include "core/base/progress.h"

enum { PIECE = 1 << 16 /* bytes of text that are read at a time */ };

FilesBytes *
files_hex (FilesBytes *text, guint64 at, guint64 size, GError **error)
{
  if (size > (text->size - MIN (at, text->size)) / 2) {
    file_fail (error, FILE_ERROR_DAMAGED, text->path,
               "is truncated: it has no room for its %" G_GUINT64_FORMAT " bytes of pixels.", size);
    return NULL;
  }
  g_autoptr (FilesBytes) made = files_bytes_new (text->path, size, error);
  g_autofree char *piece = g_malloc (PIECE);
  guint64 digits = 0;
  while (made && digits / 2 < size) {
    const gsize n = (gsize) MIN (PIECE, text->size - at);
    if (progress_stopped (error))
      return NULL;
    if (!n || !files_bytes_read (text, at, piece, n)) {
      file_fail (error, FILE_ERROR_DAMAGED, text->path,
                 "is truncated: it has %" G_GUINT64_FORMAT " of its %" G_GUINT64_FORMAT " bytes of pixels.", digits / 2,
                 size);
      return NULL;
    }
    for (gsize i = 0; i < n && digits / 2 < size; i++) {
      const int digit = g_ascii_xdigit_value (piece[i]);
      if (digit < 0 && !g_ascii_isspace (piece[i])) {
        file_fail (error, FILE_ERROR_DAMAGED, text->path,
                   "is damaged: byte %" G_GUINT64_FORMAT " is not a hexadecimal digit.", at + i);
        return NULL;
      }
      if (digit >= 0) {
        guint8 *byte = (guint8 *) made->memory.pixels + digits / 2;
        *byte = (guint8) (digits % 2 ? *byte | digit : digit << 4);
        digits++;
      }
    }
    at += n;
  }
  if (made)
    host_slot_settle (&made->memory);
  return g_steal_pointer (&made);
}
