/* SPDX-License-Identifier: MIT
 */
#include "core/files/shared/bytes.h"

#include "core/base/error.h"
#include "core/base/file_read.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

FilesBytes *
files_bytes_open (const char *path, GError **error)
{
  struct stat about;
  const int fd = file_open_regular (path, 0, &about, error);
  return fd < 0 ? NULL : files_bytes_take (path, fd, (guint64) about.st_size);
}

FilesBytes *
files_bytes_take (const char *path, int fd, guint64 size)
{
  FilesBytes *self = g_new (FilesBytes, 1);
  *self = (FilesBytes){.path = g_strdup (path), .fd = fd, .size = size};
  g_atomic_ref_count_init (&self->references);
  return self;
}

FilesBytes *
files_bytes_new (const char *path, guint64 size, GError **error)
{
  fv_error fault = FV_ERROR_INIT;
  FilesBytes *self = g_new (FilesBytes, 1);
  *self = (FilesBytes){.path = g_strdup (path), .fd = -1, .size = size};
  g_atomic_ref_count_init (&self->references);
  if (!host_slot_new (&self->memory, MAX (size, 1), NULL, &fault))
    return self;
  step_error_set_from_plugin (error, path, &fault);
  files_bytes_unref (self);
  return NULL;
}

FilesBytes *
files_bytes_ref (FilesBytes *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

void
files_bytes_unref (FilesBytes *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  if (self->fd >= 0)
    close (self->fd);
  host_slot_free (&self->memory);
  g_clear_pointer (&self->hash, file_hash_free);
  g_free (self->path);
  g_free (self);
}

gboolean
files_bytes_read (FilesBytes *self, guint64 at, void *to, gsize n)
{
  guint8 *next = to;
  if (at > self->size || n > self->size - at)
    return FALSE;
  if (self->fd < 0) {
    memcpy (to, self->memory.pixels + at, n);
    return TRUE;
  }
  while (n > 0) {
    const gssize got = pread (self->fd, next, n, (off_t) at);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return FALSE;
    if (self->hash)
      file_hash_saw (self->hash, self->fd, at, next, (gsize) got);
    next += got;
    at += (guint64) got;
    n -= (gsize) got;
  }
  return TRUE;
}
