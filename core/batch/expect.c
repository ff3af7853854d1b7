/* SPDX-License-Identifier: MIT
 */
#include "core/batch/batch.h"

#include "core/base/error.h"
#include "core/batch/batch_private.h"
#include "core/batch/names.h"
#include "core/batch/stamp.h"

#include <string.h>

/* ---- What would be done ---- */

typedef struct {
  void (*tell) (gpointer user, const BatchExpected *image);
  gpointer user;
} Listener;

/* Image n of a file; fault: of the file, or NULL. */
static void
expect_image (const Batch *batch, const BatchFile *file, guint n, const char *fault, const Listener *listener)
{
  g_autoptr (GPtrArray) outputs = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  BatchExpected expected = {.file = file->file, .series = n, .of = file->count};
  for (char **pattern = batch->patterns; *pattern; pattern++)
    g_ptr_array_add (outputs, batch_names_fill (*pattern, file->name, n));
  g_ptr_array_add (outputs, NULL);
  expected.outputs = (const char *const *) outputs->pdata;
  expected.done = file->done && file->done[n];
  if (!fault && !expected.done && file->images && !batch_file_fits (file, n, &batch->plan, &error))
    fault = error->message;
  expected.fault = fault;
  listener->tell (listener->user, &expected);
}

static void
expect_file (Batch *batch, guint input, const Listener *listener)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BatchFile) file = batch_file_new (batch->inputs, input, batch->names->pdata[input]);
  if (!file_source_is_url (file->path))
    batch_file_open (file, &batch->plan, &error);
  for (guint n = 0; n < file->count; n++)
    expect_image (batch, file, n, error ? error->message : NULL, listener);
  if (file->belongs)
    listener->tell (listener->user, &(BatchExpected){.file = file->file, .belongs = file->belongs});
}

gboolean
batch_expect (Batch *batch, void (*tell) (gpointer user, const BatchExpected *image), gpointer user, GError **error)
{
  const Listener listener = {tell, user};
  g_autoptr (BatchRecords) before = NULL;
  if (!batch->job.check (batch->job.self, error)
      || !(before = batch_journal_look (batch->folder, batch->shard, batch->resume, error)))
    return FALSE;
  batch->plan.before = before;
  for (guint i = batch->shard.number; i < batch->inputs->files->len && !progress_stopped (NULL); i += batch->shard.of)
    expect_file (batch, i, &listener);
  batch->plan.before = NULL;
  return !progress_stopped (error);
}

/* ---- What is left ---- */

/* Whether the shard, which is that of the input, has something to do for it. */
static gboolean
is_left (Batch *batch, guint input, guint shard)
{
  const GArray *before = batch->plan.before->all;
  g_autoptr (BatchFile) file = batch_file_new (batch->inputs, input, batch->names->pdata[input]);
  return file->fault || !batch_stamp_look (&file->stamp, file->path, NULL) || !batch_file_is_done (file, &batch->plan)
         || g_array_index (before, BatchRecord, batch_records_find (batch->plan.before, file->file)).shard != shard;
}

gboolean
batch_pending (Batch *batch, guint shards, guint8 *pending, GError **error)
{
  char hash[FILE_HASH_TEXT];
  guint there;
  memset (pending, TRUE, shards);
  if (!batch_journal_shards (batch->folder, &there, error))
    return FALSE;
  if (!there)
    return TRUE;
  if (there != shards)
    return file_fail (error, FILE_ERROR_FORMAT, batch->folder,
                      "has a batch in %u shards, not %u. Continue with the same number, or choose another "
                      "folder.",
                      there, shards);
  g_autoptr (BatchFolder) folder = batch_folder_new (batch->folder, error);
  if (!folder)
    return FALSE;
  batch_inputs_hash (batch->inputs, hash);
  for (guint i = 0; i < shards; i++)
    pending[i] =
      !folder->there[i] || strcmp (g_array_index (folder->records->headers, BatchHeader, i).inputs, hash) != 0;
  batch->plan.before = folder->records;
  for (guint i = 0; i < batch->inputs->files->len; i++)
    pending[i % shards] = pending[i % shards] || is_left (batch, i, i % shards);
  batch->plan.before = NULL;
  return TRUE;
}
