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

/* A file of a set may not know that it is one, when only another one has their metadata: then what was made of it alone does not count. */
static void
claim_sets (BatchRecords *records)
{
  for (guint i = 0; i < records->all->len; i++) {
    const BatchRecord *owner = &g_array_index (records->all, BatchRecord, i);
    const gboolean counts = !owner->removed && !owner->error && !owner->belongs;
    for (const char *const *part = owner->set; counts && part && *part; part++)
      for (guint j = batch_records_find (records, *part); j < records->all->len; j++) {
        BatchRecord *record = &g_array_index (records->all, BatchRecord, j);
        if (strcmp (record->file, *part))
          break;
        if (!record->set)
          *record = (BatchRecord){.file = record->file,
                                  .series = record->series,
                                  .shard = record->shard,
                                  .removed = record->removed || record->series,
                                  .stamp = record->stamp,
                                  .belongs = owner->file};
      }
  }
}

static void
add_part (BatchFolder *folder, const char *name)
{
  if (!g_ptr_array_find_with_equal_func (folder->parts, name, g_str_equal, NULL))
    g_ptr_array_add (folder->parts, (gpointer) name);
}

/* Those of the pattern come first, and mean what it says. */
static void
find_parts (BatchFolder *folder)
{
  gboolean wells = FALSE, fields = FALSE;
  folder->parts = g_ptr_array_new ();
  for (guint i = 0; folder->pattern && i < folder->pattern->names->len; i++)
    add_part (folder, folder->pattern->names->pdata[i]);
  for (guint i = 0; i < folder->records->all->len; i++) {
    const BatchRecord *record = &g_array_index (folder->records->all, BatchRecord, i);
    wells = wells || (record->well && !record->removed);
    fields = fields || (record->field && !record->removed);
  }
  if (wells)
    add_part (folder, BATCH_WELL);
  if (fields)
    add_part (folder, BATCH_FIELD);
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
    file_fail (error, FILE_ERROR_OPEN, path, "has no batch: it lacks the file manifest.jsonl.");
    return NULL;
  }
  folder->there = g_new0 (guint8, folder->shards);
  for (guint i = 0; i < folder->shards; i++)
    if (!read_shard (folder, i, error))
      return NULL;
  batch_records_settle (folder->records);
  claim_sets (folder->records);
  for (guint i = 0; i < folder->records->headers->len && !folder->pattern; i++) {
    const BatchHeader *header = &g_array_index (folder->records->headers, BatchHeader, i);
    folder->below = header->below;
    if (header->pattern && !(folder->pattern = name_pattern_new (header->pattern, error)))
      return NULL;
  }
  find_parts (folder);
  return g_steal_pointer (&folder);
}

void
batch_folder_free (BatchFolder *folder)
{
  g_clear_pointer (&folder->parts, g_ptr_array_unref);
  g_clear_pointer (&folder->pattern, name_pattern_free);
  batch_records_free (folder->records);
  g_free (folder->there);
  g_free (folder->path);
  g_free (folder);
}

char **
batch_folder_parts (const BatchFolder *folder, const BatchRecord *record)
{
  g_autofree char *path = g_strconcat (folder->below, record->file, NULL);
  g_auto (GStrv) named = folder->pattern ? name_pattern_match (folder->pattern, path) : NULL;
  const guint n = folder->pattern ? folder->pattern->names->len : 0;
  char **parts = g_new0 (char *, folder->parts->len + 1);
  for (guint i = 0; i < folder->parts->len; i++) {
    const char *own = !strcmp (folder->parts->pdata[i], BATCH_WELL) ? record->well : record->field,
               *text = i < n ? (named ? named[i] : NULL) : own;
    parts[i] = g_strdup (text ? text : "");
  }
  return parts;
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

/* How many images the file of record i has, by what is known of it. *there: whether it is a file of the batch still; *part: of another one's image. */
static guint
images_of_file (const BatchFolder *folder, guint i, gboolean *there, gboolean *part)
{
  guint of = 0;
  *there = *part = FALSE;
  for (guint end = next_file (folder, i); i < end; i++) {
    const BatchRecord *record = record_at (folder, i);
    *there = *there || !record->removed;
    *part = *part || (!record->removed && record->belongs);
    if (!record->removed)
      of = MAX (of, record->of);
  }
  return *part ? 0 : of;
}

static BatchCounts
count (const BatchFolder *folder, guint64 *whole_files)
{
  BatchCounts counts = {0};
  guint64 files = 0, all = 0;
  *whole_files = 0;
  for (guint i = 0, end; i < folder->records->all->len; i = end) {
    gboolean there, part;
    guint64 of = images_of_file (folder, i, &there, &part), seen = 0;
    for (end = next_file (folder, i), files += there; i < end; i++) {
      const BatchRecord *record = record_at (folder, i);
      const gboolean counted = !record->removed && !part;
      seen += counted;
      counts.failed += counted && record->error;
      counts.done += counted && !record->error;
    }
    counts.images += of;
    counts.parts += part;
    *whole_files += there && seen == of;
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
      return file_fail (error, FILE_ERROR_OPEN, folder->path, "lacks the manifest of shard %u/%u; run it first.", i + 1,
                        folder->shards);
    if (strcmp (header->inputs, g_array_index (headers, BatchHeader, 0).inputs))
      return file_fail (error, FILE_ERROR_OPEN, folder->path,
                        "has shards of different inputs. Run all of them with --resume and the same inputs.");
    all += header->files;
  }
  count (folder, &whole_files);
  return whole_files >= all
         || file_fail (error, FILE_ERROR_OPEN, folder->path,
                       "is not complete: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                       " files are done. Continue with --resume.",
                       whole_files, all);
}
