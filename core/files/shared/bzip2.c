/* SPDX-License-Identifier: MIT
 *
 * Sizes of a call are of 32 bits.
 */
#include "core/files/shared/bzip2.h"

#include "core/base/file_error.h"
#include "core/base/fork.h"
#include "core/base/progress.h"

#include <gmodule.h>

enum {
  RATIO = 1 << 21,          /* bytes that one packed byte can make at most */
  BLOCK = 900000 / 5 * 259, /* bytes that a block can make at most: 259 of 5 that it stores */
  PIECE = 1 << 16,          /* bytes that the library is given at a time */
  ROOM = 1 << 24,           /* bytes that it makes at a time */
};
/* Results of the library, as bzlib.h has them. */
enum { OK = 0, STREAM_END = 4 };

/* bz_stream of bzlib.h */
typedef struct {
  char *next_in;
  unsigned avail_in, total_in[2];
  char *next_out;
  unsigned avail_out, total_out[2];
  void *state;
  void *(*allocate) (void *opaque, int n, int size);
  void (*free) (void *opaque, void *memory);
  void *opaque;
} Stream;

static int (*unpack) (char *to, unsigned *size, char *packed, unsigned n, int small, int verbosity);
static int (*stream_begin) (Stream *stream, int verbosity, int small);
static int (*stream_go) (Stream *stream);
static int (*stream_end) (Stream *stream);

static gboolean
load (void)
{
  GModule *library = g_module_open ("libbz2.so.1.0", G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL);
  return library && g_module_symbol (library, "BZ2_bzBuffToBuffDecompress", (gpointer *) &unpack)
         && g_module_symbol (library, "BZ2_bzDecompressInit", (gpointer *) &stream_begin)
         && g_module_symbol (library, "BZ2_bzDecompress", (gpointer *) &stream_go)
         && g_module_symbol (library, "BZ2_bzDecompressEnd", (gpointer *) &stream_end);
}

gboolean
files_bzip2_can (const char *path, GError **error)
{
  static int state;
  return fork_once (&state, load)
         || file_fail (error, FILE_ERROR_UNSUPPORTED, path,
                       "is packed by bzip2, which needs the library libbz2: install the package libbz2-1.0.");
}

gboolean
files_bzip2_check (const char *path, guint64 packed, guint64 size, GError **error)
{
  return size / RATIO <= packed
         || file_fail (error, FILE_ERROR_DAMAGED, path,
                       "is damaged: it claims %" G_GUINT64_FORMAT " bytes of pixels, more than it can hold.", size);
}

gboolean
files_bzip2_unpack (const guint8 *packed, gsize n, guint8 *to, gsize size)
{
  unsigned made = (unsigned) size;
  return n <= G_MAXUINT && size <= G_MAXUINT && !unpack ((char *) to, &made, (char *) packed, (unsigned) n, 0, 0)
         && made == size;
}

/* ---- Files ---- */

/* The next bytes of the file, when the last ones are used up. FALSE: there are none. */
static gboolean
feed (Stream *stream, FilesBytes *packed, guint64 *at, char in[PIECE])
{
  const gsize n = (gsize) MIN (PIECE, packed->size - *at);
  if (stream->avail_in)
    return TRUE;
  if (!n || !files_bytes_read (packed, *at, in, n))
    return FALSE;
  *at += n;
  stream->next_in = in;
  stream->avail_in = (unsigned) n;
  return TRUE;
}

/* Whether one stream after the other makes `size` bytes. What the last of them makes behind these is unpacked too, so that the checksum of their last
 * block is seen, but no more than a block. */
static gboolean
unpack_streams (FilesBytes *packed, guint64 at, guint8 *to, guint64 size)
{
  g_autofree char *in = g_malloc (2 * PIECE);
  char *rest = in + PIECE;
  Stream stream = {0};
  guint64 done = 0;
  int status = stream_begin (&stream, 0, 0);
  while (status == OK && done < size + BLOCK && !progress_stopped (NULL) && feed (&stream, packed, &at, in)) {
    const unsigned room = done < size ? (unsigned) MIN (ROOM, size - done) : PIECE;
    stream.next_out = done < size ? (char *) to + done : rest;
    stream.avail_out = room;
    status = stream_go (&stream);
    done += room - stream.avail_out;
    if (status == STREAM_END && done < size) {
      const Stream ended = stream;
      stream_end (&stream);
      stream = (Stream){.next_in = ended.next_in, .avail_in = ended.avail_in};
      status = stream_begin (&stream, 0, 0);
    }
  }
  stream_end (&stream);
  return done >= size && (status == STREAM_END || (status == OK && done >= size + BLOCK));
}

FilesBytes *
files_bzip2_unpack_file (FilesBytes *packed, guint64 at, guint64 size, GError **error)
{
  if (!files_bzip2_check (packed->path, packed->size - MIN (at, packed->size), size, error))
    return NULL;
  g_autoptr (FilesBytes) made = files_bytes_new (packed->path, size, error);
  if (!made)
    return NULL;
  if (!unpack_streams (packed, MIN (at, packed->size), made->memory.pixels, size)) {
    if (!progress_stopped (error))
      file_fail (error, FILE_ERROR_DAMAGED, packed->path, "is damaged or truncated: it cannot be unpacked.");
    return NULL;
  }
  host_slot_settle (&made->memory);
  return g_steal_pointer (&made);
}
