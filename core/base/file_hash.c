/* SPDX-License-Identifier: MIT
 */
#include "core/base/file_hash.h"

#include "core/base/file_read.h"
#include "core/base/file_tree.h"
#include "core/base/progress.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>
#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h> /* the same functions, with the vector units that this machine has */
#endif

#define PIECE ((gsize) 1 << 16) /* bytes: as much stays in a cache */

struct FileHash {
  GMutex lock;
  XXH3_state_t *state;
  guint64 next; /* all bytes before it have been hashed */
};

FileHash *
file_hash_new (void)
{
  FileHash *hash = g_new0 (FileHash, 1);
  g_mutex_init (&hash->lock);
  hash->state = XXH3_createState ();
  XXH3_128bits_reset (hash->state);
  return hash;
}

void
file_hash_free (FileHash *hash)
{
  XXH3_freeState (hash->state);
  g_mutex_clear (&hash->lock);
  g_free (hash);
}

/* The lock is held. */
static void
add (FileHash *hash, const void *bytes, gsize n)
{
  XXH3_128bits_update (hash->state, bytes, n);
  hash->next += n;
}

/* Reads at most n bytes from where it stands; how many, or -1: errno says why. The lock is held. */
static gssize
read_piece (FileHash *hash, int fd, gsize n)
{
  g_autofree guint8 *piece = g_malloc (n);
  gssize got;
  do
    got = pread (fd, piece, n, (off_t) hash->next);
  while (got < 0 && errno == EINTR);
  if (got > 0)
    add (hash, piece, (gsize) got);
  return got;
}

void
file_hash_saw (FileHash *hash, int fd, guint64 at, const void *bytes, gsize n)
{
  g_mutex_lock (&hash->lock);
  if (at > hash->next && at - hash->next <= PIECE)
    read_piece (hash, fd, at - hash->next);
  if (at <= hash->next && hash->next - at < n)
    add (hash, (const guint8 *) bytes + (hash->next - at), n - (hash->next - at));
  g_mutex_unlock (&hash->lock);
}

static void
write_hash (XXH128_hash_t hash, char text[FILE_HASH_TEXT])
{
  g_snprintf (text, FILE_HASH_TEXT, "%016" G_GINT64_MODIFIER "x%016" G_GINT64_MODIFIER "x", (guint64) hash.high64,
              (guint64) hash.low64);
}

gboolean
file_hash_end (FileHash *hash, int fd, const char *path, char text[FILE_HASH_TEXT], GError **error)
{
  gssize got;
  g_mutex_lock (&hash->lock);
  while ((got = read_piece (hash, fd, PIECE)) > 0 && !progress_stopped (error))
    ;
  if (got < 0)
    file_fail (error, FILE_ERROR_OPEN, path, "cannot be read: %s.", g_strerror (errno));
  write_hash (XXH3_128bits_digest (hash->state), text);
  g_mutex_unlock (&hash->lock);
  return got == 0;
}

static gboolean
add_file (const char *path, const char *below, const struct stat *about, gpointer all, GError **error)
{
  char hash[FILE_HASH_TEXT];
  (void) about;
  if (!file_hash_of_path (path, hash, error))
    return FALSE;
  g_string_append (all, hash);
  g_string_append_len (all, below, (gssize) strlen (below) + 1);
  return TRUE;
}

static gboolean
hash_folder (const char *path, char text[FILE_HASH_TEXT], GError **error)
{
  g_autoptr (GString) all = g_string_new (NULL);
  if (!file_tree_walk (path, add_file, all, error))
    return FALSE;
  file_hash_of_text (all->str, all->len, text);
  return TRUE;
}

gboolean
file_hash_of_path (const char *path, char text[FILE_HASH_TEXT], GError **error)
{
  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    return hash_folder (path, text, error);
  g_autoptr (FileHash) hash = file_hash_new ();
  struct stat about;
  int fd = file_open_regular (path, 0, &about, error);
  gboolean done = fd >= 0 && file_hash_end (hash, fd, path, text, error);
  if (fd >= 0)
    close (fd);
  return done;
}

void
file_hash_of_text (const char *from, gsize n, char text[FILE_HASH_TEXT])
{
  write_hash (XXH3_128bits (from, n), text);
}
