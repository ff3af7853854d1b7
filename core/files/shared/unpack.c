/* SPDX-License-Identifier: MIT
 *
 * libdeflate is twice as fast as zlib, but needs room for all that is packed. zlib takes what is longer than it should be.
 */
#include "core/files/shared/unpack.h"

#include "core/base/progress.h"

#include <libdeflate.h>
#include <string.h>
#include <zlib.h>

enum {
  RATIO = 1032,    /* bytes that one byte of Deflate can make at most */
  ANY_HEADER = 32, /* of inflateInit2(): gzip or zlib */
  PIECE = 1 << 16, /* bytes that zlib is given at a time */
};

gboolean
files_is_gzip (const guint8 *head, gsize n)
{
  return n >= 3 && !memcmp (head, "\x1f\x8b\x08", 3);
}

static gboolean
damaged (const FilesBytes *packed, GError **error)
{
  return file_fail (error, FILE_ERROR_DAMAGED, packed->path, "is damaged or truncated: it cannot be unpacked.");
}

/* ---- By zlib ---- */

/* The first bytes that a part of a file unpacks to; how many there are. to_end: all of it is unpacked, so that its checksums are seen; 0 where they are
 * wrong. */
static guint64
inflate_first (FilesBytes *packed, guint64 at, guint64 end, guint8 *to, guint64 size, gboolean to_end)
{
  g_autofree guint8 *in = g_malloc (2 * PIECE);
  guint8 *rest = in + PIECE;
  z_stream z = {.next_in = in};
  guint64 done = 0;
  int status = inflateInit2 (&z, MAX_WBITS + ANY_HEADER);
  while (status == Z_OK && (done < size || to_end) && !progress_stopped (NULL)) {
    if (!z.avail_in) {
      const gsize n = (gsize) MIN (PIECE, end - at);
      if (!n || !files_bytes_read (packed, at, in, n))
        break;
      z.next_in = in;
      z.avail_in = (uInt) n;
      at += n;
    }
    const uInt room = done < size ? (uInt) MIN (PIECE, size - done) : PIECE;
    z.next_out = done < size ? to + done : rest;
    z.avail_out = room;
    status = inflate (&z, Z_NO_FLUSH);
    done += done < size ? room - z.avail_out : 0;
    if (status == Z_STREAM_END && (z.avail_in || at < end))
      status = inflateReset (&z);
  }
  inflateEnd (&z);
  return !to_end || status == Z_STREAM_END ? done : 0;
}

gsize
files_unpack_head (FilesBytes *packed, guint64 at, guint8 *to, gsize room)
{
  return at < packed->size ? (gsize) inflate_first (packed, at, packed->size, to, room, FALSE) : 0;
}

gsize
files_unpack_head_of (const char *path, guint8 *to, gsize room)
{
  g_autoptr (FilesBytes) packed = files_bytes_open (path, NULL);
  return packed ? files_unpack_head (packed, 0, to, room) : 0;
}

/* ---- By libdeflate ---- */

/* All members, which make `size` bytes together. LIBDEFLATE_INSUFFICIENT_SPACE: they make more. */
static enum libdeflate_result
inflate_all (const guint8 *from, gsize n, guint8 *to, gsize size)
{
  struct libdeflate_decompressor *d = libdeflate_alloc_decompressor ();
  enum libdeflate_result result = d ? LIBDEFLATE_SUCCESS : LIBDEFLATE_BAD_DATA;
  while (!result && size) {
    gsize taken = 0, made = 0;
    result = files_is_gzip (from, n) ? libdeflate_gzip_decompress_ex (d, from, n, to, size, &taken, &made)
                                     : libdeflate_zlib_decompress_ex (d, from, n, to, size, &taken, &made);
    from += taken;
    n -= taken;
    to += made;
    size -= made;
  }
  libdeflate_free_decompressor (d);
  return result;
}

gboolean
files_unpack_bytes (const guint8 *packed, gsize n, guint8 *to, gsize size)
{
  return inflate_all (packed, n, to, size) == LIBDEFLATE_SUCCESS;
}

/* ---- Both ---- */

gboolean
files_unpack_check (const char *path, guint64 n, guint64 size, GError **error)
{
  return size / RATIO <= n
         || file_fail (
           error, FILE_ERROR_DAMAGED, path,
           "is damaged or truncated: it claims %" G_GUINT64_FORMAT " bytes of pixels, more than it can hold.", size);
}

FilesBytes *
files_unpack (FilesBytes *packed, guint64 at, guint64 n, guint64 size, GError **error)
{
  g_autoptr (FilesBytes) in = NULL, out = NULL;
  if (at > packed->size || n > packed->size - at) {
    damaged (packed, error);
    return NULL;
  }
  if (!files_unpack_check (packed->path, n, size, error) || !(in = files_bytes_new (packed->path, n, error))
      || !(out = files_bytes_new (packed->path, size, error)))
    return NULL;
  if (!files_bytes_read (packed, at, in->memory.pixels, n)) {
    damaged (packed, error);
    return NULL;
  }
  const enum libdeflate_result result = inflate_all (in->memory.pixels, n, out->memory.pixels, size);
  if (result
      && (result != LIBDEFLATE_INSUFFICIENT_SPACE
          || inflate_first (packed, at, at + n, out->memory.pixels, size, TRUE) < size)) {
    if (!progress_stopped (error))
      damaged (packed, error);
    return NULL;
  }
  host_slot_settle (&out->memory);
  return g_steal_pointer (&out);
}
