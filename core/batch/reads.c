/* SPDX-License-Identifier: MIT
 */
#include "core/batch/reads.h"

#include "core/batch/stamp.h"

#include <string.h>

void
batch_reads_init (BatchReads *reads)
{
  g_mutex_init (&reads->lock);
  reads->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

void
batch_reads_clear (BatchReads *reads)
{
  g_hash_table_unref (reads->known);
  g_mutex_clear (&reads->lock);
}

/* Its hash; NULL: it cannot be read. The lock is held. */
static const char *
hash_of (BatchReads *reads, const char *path)
{
  BatchStamp *known = g_hash_table_lookup (reads->known, path), now;
  if (!batch_stamp_look (&now, path, NULL))
    return NULL;
  if (known && batch_stamp_is_same (known, &now))
    return known->hash;
  if (!file_hash_of_path (path, now.hash, NULL))
    return NULL;
  known = g_memdup2 (&now, sizeof now);
  g_hash_table_replace (reads->known, g_strdup (path), known);
  return known->hash;
}

char **
batch_reads_hashed (BatchReads *reads, const char *const *paths)
{
  g_autoptr (GStrvBuilder) hashed = g_strv_builder_new ();
  g_mutex_lock (&reads->lock);
  for (; paths && *paths; paths++) {
    const char *hash = hash_of (reads, *paths);
    g_autofree char *both = hash ? g_strconcat (hash, *paths, NULL) : NULL;
    if (both)
      g_strv_builder_add (hashed, both);
  }
  g_mutex_unlock (&reads->lock);
  return g_strv_builder_end (hashed);
}

gboolean
batch_reads_are_same (BatchReads *reads, const char *const *hashed)
{
  gboolean same = TRUE;
  g_mutex_lock (&reads->lock);
  for (; hashed && *hashed && same; hashed++) {
    const char *hash = hash_of (reads, *hashed + FILE_HASH_TEXT - 1);
    same = hash && g_str_has_prefix (*hashed, hash);
  }
  g_mutex_unlock (&reads->lock);
  return same;
}
