/* SPDX-License-Identifier: MIT
 */
#include "core/batch/part.h"

#include "core/base/file_read.h"
#include "core/batch/journal.h"

#include <errno.h>
#include <unistd.h>

struct BatchParts {
  const BatchFolder *folder;
  int *files; /* descriptors, for each shard; -1: not open */
};

BatchParts *
batch_parts_new (const BatchFolder *folder)
{
  BatchParts *parts = g_new (BatchParts, 1);
  *parts = (BatchParts){folder, g_new (int, folder->shards)};
  for (guint i = 0; i < folder->shards; i++)
    parts->files[i] = -1;
  return parts;
}

void
batch_parts_free (BatchParts *parts)
{
  for (guint i = 0; i < parts->folder->shards; i++)
    if (parts->files[i] >= 0)
      close (parts->files[i]);
  g_free (parts->files);
  g_free (parts);
}

gboolean
batch_parts_open (BatchParts *parts, guint shard, GError **error)
{
  g_autofree char *path = batch_journal_parts (parts->folder->path, (BatchShard){shard, parts->folder->shards});
  struct stat about;
  if (parts->files[shard] < 0)
    parts->files[shard] = file_open_regular (path, 0, &about, error);
  return parts->files[shard] >= 0;
}

char *
batch_parts_read (BatchParts *parts, const BatchRecord *record, gint64 max, gsize *n, GError **error)
{
  g_autofree char *bytes = NULL;
  const char *path = parts->folder->path;
  *n = (gsize) MIN (max, record->length);
  if (!batch_parts_open (parts, record->shard, error))
    return NULL;
  if (!(bytes = g_try_malloc (*n + 1))) {
    file_fail (error, FILE_ERROR_OPEN, path, "has more rows of '%s' than fit into memory.", record->file);
    return NULL;
  }
  for (gsize got = 0; got < *n;) {
    gssize some = pread (parts->files[record->shard], bytes + got, *n - got, record->part + (gint64) got);
    if (some < 0 && errno == EINTR)
      continue;
    if (some <= 0) {
      file_fail (error, FILE_ERROR_DAMAGED, path, "has rows of '%s' that cannot be read.", record->file);
      return NULL;
    }
    got += (gsize) some;
  }
  bytes[*n] = 0;
  return g_steal_pointer (&bytes);
}
