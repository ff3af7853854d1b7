/* SPDX-License-Identifier: MIT
 */
#include "core/batch/item.h"

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/batch/names.h"
#include "core/batch/stamp.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

BatchFile *
batch_file_new (const char *path, const char *file, const char *name, const char *fault)
{
  BatchFile *f = g_new0 (BatchFile, 1);
  *f = (BatchFile){.references = 1, .path = path, .file = file, .name = name, .count = 1, .fault = fault};
  return f;
}

void
batch_file_unref (BatchFile *file)
{
  if (!g_atomic_int_dec_and_test (&file->references))
    return;
  g_clear_pointer (&file->images, files_images_free);
  g_free (file->done);
  g_free (file);
}

/* ---- What was done before ---- */

static const BatchRecord *
record_at (const BatchPlan *plan, guint i)
{
  return i < plan->before->all->len ? &g_array_index (plan->before->all, BatchRecord, i) : NULL;
}

/* Whether its outputs are those that it would have now, and there. */
static gboolean
has_outputs (const BatchFile *file, const BatchRecord *record, const BatchPlan *plan)
{
  guint n = 0;
  for (; plan->patterns[n]; n++) {
    g_autofree char *output = batch_names_fill (plan->patterns[n], file->name, record->series),
                    *path = g_build_filename (plan->folder, output, NULL);
    struct stat about;
    if (!record->outputs || g_strcmp0 (record->outputs[n], output) || stat (path, &about)
        || about.st_size != record->sizes[n])
      return FALSE;
  }
  return !record->outputs || !record->outputs[n];
}

static gboolean
is_done (const BatchFile *file, const BatchRecord *record, const BatchPlan *plan)
{
  return !record->removed && !record->error && !strcmp (record->work, plan->work) && has_outputs (file, record, plan);
}

gboolean
batch_file_is_done (BatchFile *file, const BatchPlan *plan)
{
  const BatchRecord *first = NULL, *record;
  guint from = batch_records_find (plan->before, file->file), n = 0;
  for (; (record = record_at (plan, from)) && !strcmp (record->file, file->file); from++) {
    if (record->removed)
      continue;
    first = first ? first : record;
    if (!batch_stamp_is_same (&record->stamp, &file->stamp) || !is_done (file, record, plan))
      return FALSE;
    n++;
  }
  if (!first || n != first->of)
    return FALSE;
  file->count = n;
  return TRUE;
}

/* What of the file is done although it was touched, since its contents are the same, is recorded with what is known of it now; images that it
 * does not have any more are removed. */
static void
find_done (BatchFile *file, const BatchPlan *plan)
{
  const BatchRecord *record;
  guint from = batch_records_find (plan->before, file->file);
  for (; (record = record_at (plan, from)) && !strcmp (record->file, file->file); from++) {
    BatchRecord now = *record;
    if (record->removed)
      continue;
    if ((now.removed = record->series >= file->count)) {
      batch_journal_add (plan->journal, &now);
      continue;
    }
    file->done[record->series] = !strcmp (record->stamp.hash, file->stamp.hash) && is_done (file, record, plan);
    if (!file->done[record->series]
        || (batch_stamp_is_same (&record->stamp, &file->stamp) && record->of == file->count))
      continue;
    now.stamp = file->stamp;
    now.of = file->count;
    batch_journal_add (plan->journal, &now);
  }
}

gboolean
batch_file_open (BatchFile *file, const BatchPlan *plan, GError **error)
{
  file->done = g_malloc0 (1);
  if (file->fault) {
    step_error_set (error, FV_BAD_INPUT, NULL, "%s", file->fault);
    return FALSE;
  }
  if (!batch_stamp_look (&file->stamp, file->path, error))
    return FALSE;
  if (batch_file_is_done (file, plan)) {
    g_free (file->done);
    file->done = g_malloc (file->count);
    memset (file->done, TRUE, file->count);
    return TRUE;
  }
  if (!batch_stamp_read (&file->stamp, file->path, error) || !(file->images = files_images_new (file->path, error)))
    return FALSE;
  file->count = files_images_count (file->images);
  g_free (file->done);
  file->done = g_malloc0 (file->count);
  find_done (file, plan);
  return TRUE;
}

/* ---- Saving ---- */

/* The folders of an output, below that of all outputs, which is not made again when it has gone. */
static gboolean
make_folders (const BatchPlan *plan, const char *output, const char *path, GError **error)
{
  g_autofree char *folder = g_strdup (output);
  for (char *slash = strchr (folder, '/'); slash; slash = strchr (slash + 1, '/')) {
    *slash = 0;
    if (mkdirat (batch_journal_folder (plan->journal), folder, 0777) && errno != EEXIST)
      return file_fail (error, FILE_ERROR_WRITE, path, "cannot be written: %s.", g_strerror (errno));
    *slash = '/';
  }
  return TRUE;
}

static gboolean
save_product (const BatchPlan *plan, const BatchProduct *product, const char *output, gint64 *size, GError **error)
{
  g_autofree char *path = g_build_filename (plan->folder, output, NULL);
  BatchStamp stamp;
  if (!make_folders (plan, output, path, error)
      || !(product->table ? table_save_csv (product->table, path, plan->separator, NULL, error)
                          : files_save_as (product->image, path, plan->tiff, error))
      || !batch_stamp_look (&stamp, path, error))
    return FALSE;
  *size = stamp.size;
  return TRUE;
}

static gboolean
save (const BatchFile *file, const BatchPlan *plan, const BatchResult *result, BatchRecord *record, char **outputs,
      gint64 *sizes, GError **error)
{
  for (guint i = 0; plan->patterns[i]; i++) {
    g_autofree char *output = batch_names_fill (plan->patterns[i], file->name, record->series);
    if (!save_product (plan, &result->products[i], output, &sizes[i], error))
      return FALSE;
    outputs[i] = g_steal_pointer (&output);
  }
  if (!result->table)
    return TRUE;
  g_autoptr (GString) rows = g_string_new (NULL);
  table_add_csv (result->table, rows);
  record->rows = table_rows (result->table);
  return batch_journal_add_rows (plan->journal, record, rows, error);
}

/* All outputs of an image or none: those that were saved before one could not be. */
static void
remove_outputs (const BatchPlan *plan, char *const *outputs)
{
  for (; *outputs; outputs++)
    unlinkat (batch_journal_folder (plan->journal), *outputs, 0);
}

/* ---- An image ---- */

static void
result_clear (BatchResult *result, guint n)
{
  for (guint i = 0; i < n; i++) {
    image_unref (result->products[i].image);
    table_unref (result->products[i].table);
  }
  g_free (result->products);
  table_unref (result->table);
}

static gboolean
is_as_read (const BatchFile *file, GError **error)
{
  BatchStamp now;
  if (!batch_stamp_look (&now, file->path, error))
    return FALSE;
  return batch_stamp_is_same (&now, &file->stamp)
         || file_fail (error, FILE_ERROR_OPEN, file->path, "was changed while it was worked on.");
}

static gboolean
run_and_save (const BatchFile *file, Image *image, const BatchPlan *plan, BatchRecord *record, GError **error)
{
  guint n = g_strv_length ((char **) plan->patterns);
  g_auto (GStrv) outputs = g_new0 (char *, n + 1);
  g_autofree gint64 *sizes = g_new0 (gint64, n + 1);
  BatchResult result = {.products = g_new0 (BatchProduct, n)};
  gboolean done = plan->job->run (plan->job->self, image, &result, error) && is_as_read (file, error)
                  && save (file, plan, &result, record, outputs, sizes, error);
  if (done) {
    record->device = result.device;
    record->outputs = (const char *const *) outputs;
    record->sizes = sizes;
    record->seconds += (double) g_get_monotonic_time () / G_USEC_PER_SEC;
    batch_journal_add (plan->journal, record);
  } else
    remove_outputs (plan, outputs);
  result_clear (&result, n);
  return done;
}

static BatchRecord
new_record (const BatchFile *file, guint n, const BatchPlan *plan)
{
  return (BatchRecord){
    .file = file->file, .series = n, .of = file->count, .stamp = file->stamp, .work = plan->work, .device = ""};
}

gboolean
batch_file_do (const BatchFile *file, guint n, const BatchPlan *plan, GError **error)
{
  BatchRecord record = new_record (file, n, plan);
  gsize bytes;
  record.seconds = -(double) g_get_monotonic_time () / G_USEC_PER_SEC;
  g_autoptr (Image) image = files_images_open (file->images, n, error);
  if (!image || !plan->job->needs (plan->job->self, image, &bytes, error)
      || !batch_room_enter (plan->room, bytes, error))
    return FALSE;
  gboolean done = run_and_save (file, image, plan, &record, error);
  batch_room_leave (plan->room, bytes);
  return done;
}

void
batch_file_record_fault (const BatchFile *file, guint n, const BatchPlan *plan, const GError *fault)
{
  BatchRecord record = new_record (file, n, plan);
  record.error = fault->message;
  batch_journal_add (plan->journal, &record);
}
