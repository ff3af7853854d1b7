/* SPDX-License-Identifier: MIT
 *
 * Gzip may claim any size: all of it is unpacked once to count its bytes, and once more to keep them.
 */
#include "core/files/fits/file.h"

#include "core/base/error.h"
#include "core/base/file_read.h"
#include "core/base/progress.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum {
  BLOCK = 2880,       /* of FITS, */
  PIECE = 91 * BLOCK, /* of which each lies in one piece */
  GZIP = 16           /* of inflateInit2() */
};

/* A gzip file that is unpacked piece by piece; `out` has the last one, `n` bytes from `start`. */
struct FilesFitsStream {
  const FilesFitsFile *file;
  guint64 at; /* what has been taken of the packed bytes */
  guint64 start;
  gssize n; /* -1: the file is damaged */
  gboolean begun;
  z_stream z;
  guint8 in[PIECE], out[PIECE];
};

static gboolean stream_read (FilesFitsStream *s, guint64 at, void *to, gsize size);

static gboolean
read_bytes (const FilesFitsFile *file, guint64 at, guint8 *to, gsize size)
{
  while (size > 0) {
    gssize n = pread (file->fd, to, size, (off_t) at);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return FALSE;
    if (file->hash)
      file_hash_saw (file->hash, file->fd, at, to, (gsize) n);
    to += n;
    at += (guint64) n;
    size -= (gsize) n;
  }
  return TRUE;
}

gboolean
files_fits_read (const FilesFitsFile *file, guint64 at, void *to, gsize size)
{
  if (at > file->size || size > file->size - at)
    return FALSE;
  if (file->stream)
    return stream_read (file->stream, at, to, size);
  if (!file->inflated.pixels)
    return read_bytes (file, at, to, size);
  memcpy (to, file->inflated.pixels + at, size);
  return TRUE;
}

/* ---- Gzip ---- */

/* More bytes to inflate; FALSE: there are none. */
static gboolean
fill (FilesFitsStream *s)
{
  gsize n = (gsize) MIN (PIECE, s->file->packed - s->at);
  if (n == 0 || !read_bytes (s->file, s->at, s->in, n))
    return FALSE;
  s->z.next_in = s->in;
  s->z.avail_in = (uInt) n;
  s->at += n;
  return TRUE;
}

/* Inflates what follows to `to`, at most n bytes; how many there were, fewer only at the end. -1: the file is damaged. Members follow one
 * another. */
static gssize
inflate_some (FilesFitsStream *s, guint8 *to, uInt n)
{
  int status = Z_OK;
  s->z.next_out = to;
  s->z.avail_out = n;
  while (s->z.avail_out) {
    gboolean more = s->z.avail_in || fill (s);
    if (status == Z_STREAM_END && (!more || *s->z.next_in != 0x1f || inflateReset (&s->z)))
      break;
    status = inflate (&s->z, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END && !(status == Z_BUF_ERROR && more))
      return -1;
  }
  return (gssize) (n - s->z.avail_out);
}

static FilesFitsStream *
stream_new (const FilesFitsFile *file)
{
  FilesFitsStream *s = g_new0 (FilesFitsStream, 1);
  s->file = file;
  if (inflateInit2 (&s->z, MAX_WBITS + GZIP) != Z_OK)
    s->n = -1;
  return s;
}

static void
stream_free (FilesFitsStream *s)
{
  inflateEnd (&s->z);
  g_free (s);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesFitsStream, stream_free)

/* Goes to the piece in which `at` lies; the reading stops where the user asks for it. */
static gboolean
stream_read (FilesFitsStream *s, guint64 at, void *to, gsize size)
{
  while (s->n >= 0 && at >= s->start + (guint64) s->n && (!s->begun || s->n == PIECE) && !progress_stopped (NULL)) {
    s->begun = TRUE;
    s->start += (guint64) s->n;
    s->n = inflate_some (s, s->out, PIECE);
  }
  if (s->n < 0 || at < s->start || at - s->start > (guint64) s->n || size > (guint64) s->n - (at - s->start))
    return FALSE;
  memcpy (to, s->out + (at - s->start), size);
  return TRUE;
}

/* All of it: to `to`, or when that is NULL only counted in *size. */
static gboolean
inflate_all (const FilesFitsFile *file, guint8 *to, guint64 *size, GError **error)
{
  g_autoptr (FilesFitsStream) s = stream_new (file);
  guint64 done = 0;
  if (s->n < 0)
    return file_fail (error, FILE_ERROR_OPEN, file->path, "cannot be unpacked: not enough memory for zlib.");
  do {
    uInt max = to ? (uInt) MIN (PIECE, *size - done) : PIECE;
    if (progress_stopped (error))
      return FALSE;
    s->n = inflate_some (s, to ? to + done : s->out, max);
    done += s->n > 0 ? (guint64) s->n : 0;
  } while (s->n == PIECE);
  if (s->n < 0 || (to && done != *size))
    return file_fail (error, FILE_ERROR_DAMAGED, file->path, "is damaged or truncated: gzip cannot unpack it.");
  *size = done;
  return TRUE;
}

static gboolean
unpack (FilesFitsFile *file, GError **error)
{
  fv_error fault = FV_ERROR_INIT;
  guint64 size = 0;
  if (!inflate_all (file, NULL, &size, error))
    return FALSE;
  if (host_slot_new (&file->inflated, size, NULL, &fault)) {
    step_error_set_from_plugin (error, file->path, &fault);
    return FALSE;
  }
  if (!inflate_all (file, file->inflated.pixels, &size, error)) {
    host_slot_free (&file->inflated);
    file->inflated = (HostSlot){0};
    return FALSE;
  }
  host_slot_settle (&file->inflated);
  file->size = size;
  g_clear_pointer (&file->stream, stream_free);
  return TRUE;
}

gboolean
files_fits_file_unpack (FilesFitsFile *file, GError **error)
{
  g_mutex_lock (&file->unpacking);
  gboolean done = !file->stream || unpack (file, error);
  g_mutex_unlock (&file->unpacking);
  return done;
}

gboolean
files_fits_file_is_damaged (const FilesFitsFile *file)
{
  return file->stream && file->stream->n < 0;
}

/* Gzip's last four bytes are the size of what it holds, but for multiples of 4 GiB. */
gboolean
files_fits_file_ends (const FilesFitsFile *file, guint64 at)
{
  guint8 size[4];
  if (!file->stream)
    return at >= file->size;
  return file->packed >= 18 && read_bytes (file, file->packed - 4, size, 4)
         && (guint32) at == ((guint32) size[3] << 24 | (guint32) size[2] << 16 | (guint32) size[1] << 8 | size[0]);
}

/* ---- Opening ---- */

FilesFitsFile *
files_fits_file_open (const char *path, GError **error)
{
  g_autoptr (FilesFitsFile) file = g_new0 (FilesFitsFile, 1);
  guint8 head[2];
  struct stat about;
  file->path = g_strdup (path);
  g_mutex_init (&file->unpacking);
  file->fd = file_open_regular (path, 0, &about, error);
  if (file->fd < 0)
    return NULL;
  file->size = (guint64) about.st_size;
  if (!read_bytes (file, 0, head, sizeof head) || head[0] != 0x1f || head[1] != 0x8b)
    return g_steal_pointer (&file);
  file->packed = file->size;
  file->size = G_MAXUINT64;
  file->stream = stream_new (file);
  if (file->stream->n >= 0)
    return g_steal_pointer (&file);
  file_fail (error, FILE_ERROR_OPEN, path, "cannot be unpacked: not enough memory for zlib.");
  return NULL;
}

void
files_fits_file_free (FilesFitsFile *file)
{
  if (file->fd >= 0)
    close (file->fd);
  g_clear_pointer (&file->hash, file_hash_free);
  g_clear_pointer (&file->stream, stream_free);
  host_slot_free (&file->inflated);
  g_mutex_clear (&file->unpacking);
  g_free (file->path);
  g_free (file);
}
