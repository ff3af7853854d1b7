/* SPDX-License-Identifier: MIT
 */
#include "core/batch/folder.h"

#include "core/base/error.h"
#include "core/base/file_error.h"
#include "core/batch/journal.h"

#include <string.h>
#include <sys/stat.h>

/* ---- Manifests ---- */

static gint64
size_of (const char *path)
{
  struct stat about;
  return stat (path, &about) ? 0 : about.st_size;
}

static gboolean
read_shard (BatchFolder *folder, guint number, GError **error)
{
  const BatchShard shard = {number, folder->shards};
  g_autofree char *manifest = batch_journal_manifest (folder->path, shard),
                  *parts = batch_journal_parts (folder->path, shard);
  gint64 whole;
  if (!(folder->there[number] = g_file_test (manifest, G_FILE_TEST_EXISTS)))
    return TRUE;
  return batch_records_read (folder->records, number, manifest, size_of (parts), &whole, error);
}

BatchFolder *
batch_folder_new (const char *path, GError **error)
{
  g_autoptr (BatchFolder) folder = g_new0 (BatchFolder, 1);
  folder->path = g_strdup (path);
  folder->records = batch_records_new ();
  if (!batch_journal_shards (path, &folder->shards, error))
    return NULL;
  if (!folder->shards) {
    file_fail (error, FILE_ERROR_OPEN, path, "has no batch: there is no manifest.jsonl.");
    return NULL;
  }
  folder->there = g_new0 (guint8, folder->shards);
  for (guint i = 0; i < folder->shards; i++)
    if (!read_shard (folder, i, error))
      return NULL;
  batch_records_settle (folder->records);
  return g_steal_pointer (&folder);
}

void
batch_folder_free (BatchFolder *folder)
{
  batch_records_free (folder->records);
  g_free (folder->there);
  g_free (folder->path);
  g_free (folder);
}

/* ---- How it stands ---- */

static const BatchRecord *
record_at (const BatchFolder *folder, guint i)
{
  return &g_array_index (folder->records->all, BatchRecord, i);
}

/* The first record behind those of the file of record i. */
static guint
next_file (const BatchFolder *folder, guint i)
{
  const char *file = record_at (folder, i)->file;
  while (i < folder->records->all->len && !strcmp (record_at (folder, i)->file, file))
    i++;
  return i;
}

/* How many images the file of record i has, by what is known of it; 0: it is no file of the batch any more. */
static guint
images_of_file (const BatchFolder *folder, guint i)
{
  guint of = 0;
  for (guint end = next_file (folder, i); i < end; i++)
    if (!record_at (folder, i)->removed)
      of = MAX (of, record_at (folder, i)->of);
  return of;
}

static BatchCounts
count (const BatchFolder *folder, guint64 *whole_files)
{
  BatchCounts counts = {0};
  guint64 files = 0, all = 0;
  *whole_files = 0;
  for (guint i = 0, end; i < folder->records->all->len; i = end) {
    guint64 of = images_of_file (folder, i), seen = 0;
    for (end = next_file (folder, i), files += of > 0; i < end; i++) {
      const BatchRecord *record = record_at (folder, i);
      seen += !record->removed;
      counts.failed += !record->removed && record->error;
      counts.done += !record->removed && !record->error;
    }
    counts.images += of;
    *whole_files += of > 0 && seen == of;
  }
  for (guint i = 0; i < folder->records->headers->len; i++)
    all += g_array_index (folder->records->headers, BatchHeader, i).files;
  counts.images += all > files ? all - files : 0;
  return counts;
}

BatchCounts
batch_folder_counts (const BatchFolder *folder)
{
  guint64 whole_files;
  return count (folder, &whole_files);
}

gboolean
batch_folder_is_complete (const BatchFolder *folder, GError **error)
{
  const GArray *headers = folder->records->headers;
  guint64 whole_files, all = 0;
  for (guint i = 0; i < folder->shards; i++) {
    const BatchHeader *header = &g_array_index (headers, BatchHeader, i);
    if (!folder->there[i])
      return file_fail (error, FILE_ERROR_OPEN, folder->path, "misses the manifest of shard %u/%u; run it first.",
                        i + 1, folder->shards);
    if (strcmp (header->inputs, g_array_index (headers, BatchHeader, 0).inputs))
      return file_fail (error, FILE_ERROR_OPEN, folder->path,
                        "has shards of other inputs than each other: run all with --resume and the same inputs.");
    all += header->files;
  }
  count (folder, &whole_files);
  return whole_files >= all
         || file_fail (error, FILE_ERROR_OPEN, folder->path,
                       "is not complete: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                       " files have been done; go on with --resume.",
                       whole_files, all);
}
