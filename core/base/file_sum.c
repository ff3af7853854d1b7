/* SPDX-License-Identifier: MIT
 */
#include "core/base/file_sum.h"

#include "core/base/file_read.h"
#include "core/base/fork.h"

#include <errno.h>

enum { KNOWN = 16, PIECE = 1 << 16 };

/* A file that was hashed, as it was then. */
typedef struct Known {
  char *path, *sum;
  struct stat about;
} Known;

static GMutex lock; /* held for moments */
static Known known[KNOWN];
static guint next; /* to be replaced */
FORK_GUARD_STATIC (lock)

static gboolean
is_same (const Known *k, const char *path, const struct stat *about)
{
  return k->path && !strcmp (k->path, path) && k->about.st_dev == about->st_dev && k->about.st_ino == about->st_ino
         && k->about.st_size == about->st_size && k->about.st_mtim.tv_sec == about->st_mtim.tv_sec
         && k->about.st_mtim.tv_nsec == about->st_mtim.tv_nsec;
}

static char *
find (const char *path, const struct stat *about)
{
  char *sum = NULL;
  g_mutex_lock (&lock);
  for (guint i = 0; i < KNOWN && !sum; i++)
    if (is_same (&known[i], path, about))
      sum = g_strdup (known[i].sum);
  g_mutex_unlock (&lock);
  return sum;
}

static void
keep (const char *path, const struct stat *about, const char *sum)
{
  g_mutex_lock (&lock);
  Known *k = &known[next++ % KNOWN];
  g_free (k->path);
  g_free (k->sum);
  *k = (Known){g_strdup (path), g_strdup (sum), *about};
  g_mutex_unlock (&lock);
}

char *
file_sum (const char *path, GError **error)
{
  struct stat about;
  FILE *file = file_open_stream (path, &about, error);
  char *sum = file ? find (path, &about) : NULL;
  if (file && !sum) {
    g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
    g_autofree guchar *piece = g_malloc (PIECE);
    for (gsize n; (n = fread (piece, 1, PIECE, file)) > 0;)
      g_checksum_update (checksum, piece, (gssize) n);
    if (ferror (file))
      file_fail (error, FILE_ERROR_OPEN, path, "cannot be read: %s.", g_strerror (errno));
    else
      keep (path, &about, sum = g_strdup (g_checksum_get_string (checksum)));
  }
  if (file)
    fclose (file);
  return sum;
}
