/* SPDX-License-Identifier: MIT
 *
 * Gzip does not say how much it holds, and may claim anything: it is gone through once to count, and once more to keep.
 */
#include "core/files/fits/file.h"

#include "core/base/error.h"
#include "core/base/file_read.h"
#include "core/base/progress.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { PIECE = 1 << 18, GZIP = 16 /* of inflateInit2() */ };

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
  if (!file->inflated.pixels)
    return read_bytes (file, at, to, size);
  memcpy (to, file->inflated.pixels + at, size);
  return TRUE;
}

/* ---- Gzip ---- */

typedef struct {
  const FilesFitsFile *file;
  guint64 size, at; /* of the file as it is; what has been taken of it */
  z_stream z;
  guint8 in[PIECE], out[PIECE];
} Inflating;

/* More bytes to inflate; FALSE: there are none. */
static gboolean
fill (Inflating *i)
{
  gsize n = (gsize) MIN (PIECE, i->size - i->at);
  if (n == 0 || !read_bytes (i->file, i->at, i->in, n))
    return FALSE;
  i->z.next_in = i->in;
  i->z.avail_in = (uInt) n;
  i->at += n;
  return TRUE;
}

/* Inflates what follows to `to`, at most n bytes; how many there were, fewer only at the end. -1: the file is damaged. Members follow one
 * another. */
static gssize
inflate_some (Inflating *i, guint8 *to, uInt n)
{
  int status = Z_OK;
  i->z.next_out = to;
  i->z.avail_out = n;
  while (i->z.avail_out) {
    gboolean more = i->z.avail_in || fill (i);
    if (status == Z_STREAM_END && (!more || *i->z.next_in != 0x1f || inflateReset (&i->z)))
      break;
    status = inflate (&i->z, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END && !(status == Z_BUF_ERROR && more))
      return -1;
  }
  return (gssize) (n - i->z.avail_out);
}

/* Whether it may be a FITS file, which is asked before all of it is inflated. */
static gboolean
begins_well (const Inflating *i, gssize n, GError **error)
{
  if (n < 0 || (n >= (gssize) strlen (FILES_FITS_FIRST) && g_str_has_prefix ((const char *) i->out, FILES_FITS_FIRST)))
    return TRUE;
  return file_fail (error, FILE_ERROR_FORMAT, i->file->path, "is a gzip file of %s.",
                    n ? "something else than a FITS file" : "nothing");
}

/* All of it: to `to`, or when that is NULL only counted in *size. */
static gboolean
inflate_all (FilesFitsFile *file, guint64 packed, guint8 *to, guint64 *size, GError **error)
{
  g_autofree Inflating *i = g_new0 (Inflating, 1);
  guint64 done = 0;
  gssize n = -1;
  i->file = file;
  i->size = packed;
  if (inflateInit2 (&i->z, MAX_WBITS + GZIP) == Z_OK)
    do {
      uInt most = to ? (uInt) MIN (PIECE, *size - done) : PIECE;
      if (progress_stopped (error))
        n = -2;
      else {
        n = inflate_some (i, to ? to + done : i->out, most);
        if (!to && done == 0 && !begins_well (i, n, error))
          n = -2;
        done += n > 0 ? (guint64) n : 0;
      }
    } while (n == PIECE);
  inflateEnd (&i->z);
  if (n >= 0 && (!to || done == *size)) {
    *size = done;
    return TRUE;
  }
  return n != -2
         && file_fail (error, FILE_ERROR_DAMAGED, file->path, "is damaged or truncated: gzip cannot unpack it.");
}

static gboolean
unpack (FilesFitsFile *file, GError **error)
{
  fv_error fault = FV_ERROR_INIT;
  guint64 packed = file->size, size;
  if (!inflate_all (file, packed, NULL, &size, error))
    return FALSE;
  if (host_slot_new (&file->inflated, size, NULL, &fault)) {
    step_error_set_from_plugin (error, file->path, &fault);
    return FALSE;
  }
  if (!inflate_all (file, packed, file->inflated.pixels, &size, error))
    return FALSE;
  host_slot_settle (&file->inflated);
  file->size = size;
  return TRUE;
}

/* ---- Opening ---- */

FilesFitsFile *
files_fits_file_open (const char *path, GError **error)
{
  g_autoptr (FilesFitsFile) file = g_new0 (FilesFitsFile, 1);
  guint8 head[2];
  struct stat about;
  file->path = g_strdup (path);
  file->fd = file_open_regular (path, 0, &about, error);
  if (file->fd < 0)
    return NULL;
  file->size = (guint64) about.st_size;
  if (read_bytes (file, 0, head, sizeof head) && head[0] == 0x1f && head[1] == 0x8b && !unpack (file, error))
    return NULL;
  return g_steal_pointer (&file);
}

void
files_fits_file_free (FilesFitsFile *file)
{
  if (file->fd >= 0)
    close (file->fd);
  g_clear_pointer (&file->hash, file_hash_free);
  host_slot_free (&file->inflated);
  g_free (file->path);
  g_free (file);
}
