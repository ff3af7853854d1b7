/* SPDX-License-Identifier: MIT
 *
 * A stream of Deflate without a header, and without a size: it is unpacked once to count, before memory is taken, and once to keep.
 */
#include "core/files/dicom/inflate.h"

#include "core/base/progress.h"

#include <zlib.h>

enum { PIECE = 1 << 16 /* bytes at a time */ };

/* All that follows `at`: *size bytes into `to`; or, if that is NULL, sets *size. FALSE: it is damaged, truncated or stopped. */
static gboolean
unpack (FilesBytes *packed, guint64 at, guint8 *to, guint64 *size)
{
  g_autofree guint8 *in = g_malloc (2 * PIECE);
  guint8 *forgotten = in + PIECE;
  z_stream z = {.next_in = in};
  guint64 done = 0;
  int status = inflateInit2 (&z, -MAX_WBITS);
  while (status == Z_OK && (!to || done < *size) && !progress_stopped (NULL)) {
    const gsize n = (gsize) MIN (PIECE, packed->size - at);
    const uInt room = to ? (uInt) MIN (PIECE, *size - done) : PIECE;
    if (!z.avail_in) {
      if (!n || !files_bytes_read (packed, at, in, n))
        break;
      z.next_in = in;
      z.avail_in = (uInt) n;
      at += n;
    }
    z.next_out = to ? to + done : forgotten;
    z.avail_out = room;
    status = inflate (&z, Z_NO_FLUSH);
    done += room - z.avail_out;
  }
  inflateEnd (&z);
  if (to)
    return done == *size;
  *size = done;
  return status == Z_STREAM_END;
}

FilesBytes *
dicom_inflate (FilesBytes *packed, guint64 at, GError **error)
{
  guint64 size = 0;
  if (unpack (packed, at, NULL, &size)) {
    g_autoptr (FilesBytes) whole = files_bytes_new (packed->path, at + size, error);
    if (!whole)
      return NULL;
    if (files_bytes_read (packed, 0, whole->memory.pixels, (gsize) at)
        && unpack (packed, at, whole->memory.pixels + at, &size)) {
      host_slot_settle (&whole->memory);
      return g_steal_pointer (&whole);
    }
  }
  if (!progress_stopped (error))
    file_fail (error, FILE_ERROR_DAMAGED, packed->path, "is damaged or truncated: its elements cannot be unpacked.");
  return NULL;
}
