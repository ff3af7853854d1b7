/* SPDX-License-Identifier: MIT
 */
#include "core/batch/stamp.h"

#include "core/base/file_read.h"
#include "core/base/progress.h"

#include <errno.h>
#include <unistd.h>
#include <xxhash.h>

#define PIECE ((gsize) 1 << 18)

static gint64
nanoseconds (struct timespec time)
{
  return (gint64) time.tv_sec * 1000000000 + time.tv_nsec;
}

static void
take (BatchStamp *stamp, const struct stat *about)
{
  *stamp = (BatchStamp){about->st_size, nanoseconds (about->st_mtim), nanoseconds (about->st_ctim), ""};
}

static void
write_hash (XXH128_hash_t hash, char text[BATCH_HASH])
{
  g_snprintf (text, BATCH_HASH, "%016" G_GINT64_MODIFIER "x%016" G_GINT64_MODIFIER "x", (guint64) hash.high64,
              (guint64) hash.low64);
}

gboolean
batch_stamp_look (BatchStamp *stamp, const char *path, GError **error)
{
  struct stat about;
  if (!stat (path, &about)) {
    take (stamp, &about);
    return TRUE;
  }
  if (errno == ENOENT || errno == ENOTDIR)
    return file_fail (error, FILE_ERROR_MISSING, path, "does not exist.");
  return file_fail (error, FILE_ERROR_OPEN, path, "cannot be opened: %s.", g_strerror (errno));
}

static gboolean
hash_file (int fd, const char *path, char text[BATCH_HASH], GError **error)
{
  XXH3_state_t *state = XXH3_createState ();
  g_autofree char *piece = g_malloc (PIECE);
  gssize n;
  gboolean stopped = FALSE;
  XXH3_128bits_reset (state);
  while (((n = read (fd, piece, PIECE)) > 0 || (n < 0 && errno == EINTR)) && !(stopped = progress_stopped (error)))
    if (n > 0)
      XXH3_128bits_update (state, piece, (gsize) n);
  if (n < 0)
    file_fail (error, FILE_ERROR_OPEN, path, "cannot be read: %s.", g_strerror (errno));
  write_hash (XXH3_128bits_digest (state), text);
  XXH3_freeState (state);
  return n == 0 && !stopped;
}

gboolean
batch_stamp_read (BatchStamp *stamp, const char *path, GError **error)
{
  struct stat about;
  int fd = file_open_regular (path, 0, &about, error);
  if (fd < 0)
    return FALSE;
  take (stamp, &about);
  gboolean done = hash_file (fd, path, stamp->hash, error);
  close (fd);
  return done;
}

gboolean
batch_stamp_is_same (const BatchStamp *a, const BatchStamp *b)
{
  return a->size == b->size && a->modified == b->modified && a->changed == b->changed;
}

void
batch_stamp_text (const char *text, gsize n, char hash[BATCH_HASH])
{
  write_hash (XXH3_128bits (text, n), hash);
}
