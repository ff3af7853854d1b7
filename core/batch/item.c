/* SPDX-License-Identifier: MIT
 */
#include "core/batch/item.h"

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/base/text.h"
#include "core/batch/names.h"
#include "core/batch/origin.h"
#include "core/batch/outputs.h"
#include "core/batch/staging.h"
#include "core/batch/stamp.h"

#include <math.h>
#include <string.h>

BatchFile *
batch_file_new (const BatchInputs *inputs, guint input, const char *name)
{
  BatchFile *f = g_new0 (BatchFile, 1);
  *f = (BatchFile){.references = 1,
                   .input = input,
                   .path = batch_input (inputs, input)->path,
                   .file = batch_input_name (inputs, input),
                   .name = name,
                   .count = 1,
                   .fault = batch_input (inputs, input)->fault};
  return f;
}

void
batch_file_unref (BatchFile *file)
{
  if (!g_atomic_int_dec_and_test (&file->references))
    return;
  g_clear_pointer (&file->images, files_images_free);
  g_clear_pointer (&file->source, file_source_unref);
  g_free (file->done);
  g_free (file);
}

/* ---- What was done before ---- */

static const BatchRecord *
record_at (const BatchPlan *plan, guint i)
{
  return i < plan->before->all->len ? &g_array_index (plan->before->all, BatchRecord, i) : NULL;
}

static gboolean
is_done (const BatchFile *file, const BatchRecord *record, const BatchPlan *plan)
{
  return !record->removed && !record->error && !record->belongs && !strcmp (record->work, plan->work)
         && batch_reads_are_same (plan->reads, record->reads) && batch_outputs_are_there (file, record, plan);
}

/* Whether the record says that it is a part of an image of which an earlier input is still the first. */
static gboolean
is_part (const BatchFile *file, const BatchRecord *record, const BatchPlan *plan)
{
  guint owner;
  return record->belongs && batch_stamp_is_same (&record->stamp, &file->stamp)
         && batch_inputs_find (plan->inputs, record->belongs, &owner) && owner < file->input;
}

/* Whether no earlier input has come that is a part of the same image. */
static gboolean
is_first (const BatchFile *file, const BatchPlan *plan)
{
  g_autoptr (FilesImages) images = files_images_new (file->path, NULL);
  return images && batch_sets_owner (plan->sets, file->input, images) == file->input;
}

gboolean
batch_file_is_done (BatchFile *file, const BatchPlan *plan)
{
  const BatchRecord *first = NULL, *record;
  guint from = batch_records_find (plan->before, file->file), n = 0;
  for (; (record = record_at (plan, from)) && !strcmp (record->file, file->file); from++) {
    if (record->removed)
      continue;
    if (is_part (file, record, plan)) {
      file->belongs = record->belongs;
      file->count = 0;
      return TRUE;
    }
    if (record->set && !is_first (file, plan))
      return FALSE;
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

const BatchRecord *
batch_file_failed_before (const BatchFile *file, guint n, const BatchPlan *plan)
{
  const BatchRecord *record;
  for (guint i = batch_records_find (plan->before, file->file);
       (record = record_at (plan, i)) && !strcmp (record->file, file->file); i++)
    if (record->series == n && !record->removed && record->error && !strcmp (record->work, plan->work))
      return record;
  return NULL;
}

/* Nothing is recorded when it is only asked what would be done. */
static void
add_record (const BatchPlan *plan, const BatchRecord *record)
{
  if (plan->journal)
    batch_journal_add (plan->journal, record);
}

/* That it is a part of another input's image, and has none. */
static void
record_belonging (const BatchFile *file, const BatchPlan *plan)
{
  const BatchRecord record = {.file = file->file, .stamp = file->stamp, .belongs = file->belongs};
  add_record (plan, &record);
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
      add_record (plan, &now);
      continue;
    }
    file->done[record->series] = !strcmp (record->stamp.hash, file->stamp.hash) && is_done (file, record, plan);
    if (!file->done[record->series]
        || (batch_stamp_is_same (&record->stamp, &file->stamp) && record->of == file->count))
      continue;
    now.stamp = file->stamp;
    now.of = file->count;
    add_record (plan, &now);
  }
}

/* What records are compared with, and what several images have in common, is hashed now; other files are hashed as they are read. */
static gboolean
hash_or_begin (BatchFile *file, const BatchPlan *plan, GError **error)
{
  if (files_images_count (file->images) > 1 || batch_records_have (plan->before, file->file))
    return files_images_hash (file->images, file->stamp.hash, error);
  files_images_begin_hash (file->images);
  return TRUE;
}

gboolean
batch_file_open (BatchFile *file, const BatchPlan *plan, GError **error)
{
  file->done = g_malloc0 (1);
  if (file->fault) {
    step_error_set (error, FV_BAD_INPUT, NULL, "%s", file->fault);
    return FALSE;
  }
  if (!(file->source = file_source_new (file->path, error)))
    return FALSE;
  file->path = file_source_path (file->source);
  if (!batch_stamp_look (&file->stamp, file->path, error))
    return FALSE;
  if (batch_file_is_done (file, plan)) {
    g_free (file->done);
    file->done = g_malloc (file->count);
    memset (file->done, TRUE, file->count);
    return TRUE;
  }
  if (!(file->images = files_images_new (file->path, error)))
    return FALSE;
  file->count = files_images_count (file->images);
  const guint owner = batch_sets_owner (plan->sets, file->input, file->images);
  if (owner != file->input) {
    file->belongs = batch_input_name (plan->inputs, owner);
    file->count = 0;
  }
  g_free (file->done);
  file->done = g_malloc0 (file->count);
  if (file->count && !hash_or_begin (file, plan, error)) {
    file->count = 1;
    return FALSE;
  }
  find_done (file, plan);
  if (file->belongs)
    record_belonging (file, plan);
  return TRUE;
}

/* ---- An image ---- */

static BatchResult
new_result (const BatchPlan *plan)
{
  return (BatchResult){.device = "",
                       .products =
                         plan->job->saves ? NULL : g_new0 (BatchProduct, g_strv_length ((char **) plan->patterns))};
}

static void
clear_result (BatchResult *result, const BatchPlan *plan)
{
  for (guint i = 0; result->products && plan->patterns[i]; i++) {
    image_unref (result->products[i].image);
    table_unref (result->products[i].table);
  }
  g_free (result->products);
  g_strfreev (result->reads);
  g_free (result->note);
  g_free (result->warning);
  g_free (result->reproducible);
  g_free (result->sums);
  table_unref (result->table);
  g_clear_pointer (&result->names, g_ptr_array_unref);
  g_clear_pointer (&result->values, g_array_unref);
}

/* Sums and means of the columns of numbers but those that only say which object it is, behind the numbers of the steps. */
static void
add_summary (BatchResult *result)
{
  static const char *const ids[] = {"label", "z", "frame", "channel", NULL};
  if (!result->names) {
    result->names = g_ptr_array_new_with_free_func (g_free);
    result->values = g_array_new (FALSE, FALSE, sizeof (double));
  }
  for (guint j = 0; result->table && j < table_columns (result->table); j++) {
    const TableColumn *column = table_column (result->table, j);
    g_autofree char *header = table_header (column);
    double sum = 0, mean;
    gint64 n = 0;
    if (column->type == FV_COLUMN_TEXT || g_strv_contains (ids, column->key))
      continue;
    for (gint64 row = 0; row < column->rows; row++)
      if (!isnan (column->values[row])) {
        sum += column->values[row];
        n++;
      }
    mean = n ? sum / (double) n : NAN;
    g_ptr_array_add (result->names, g_strdup_printf ("sum of %s", header));
    g_array_append_val (result->values, sum);
    g_ptr_array_add (result->names, g_strdup_printf ("mean of %s", header));
    g_array_append_val (result->values, mean);
  }
  g_ptr_array_add (result->names, NULL);
}

static gboolean
complete_hash (const BatchFile *file, BatchRecord *record, GError **error)
{
  return *record->stamp.hash || files_images_hash (file->images, record->stamp.hash, error);
}

static gboolean
save_rows (const BatchPlan *plan, const Table *table, BatchRecord *record, GError **error)
{
  g_autoptr (GString) rows = g_string_new (NULL);
  if (!table)
    return TRUE;
  table_add_csv (table, rows);
  record->rows = table_rows (table);
  return batch_journal_add_rows (plan->journal, record, rows, error);
}

/* What of the file is in no image of it. NULL: nothing. Free with g_free(). */
static char *
rest_of (const BatchFile *file)
{
  const char *left_out = files_images_left_out (file->images);
  return left_out ? g_strdup_printf ("Omitted from the file: %s.", left_out) : NULL;
}

/* With why it was done on the CPU, and the rest of the file. NULL: nothing. Free with g_free(). */
static char *
warning_of (const BatchFile *file, const BatchResult *result, const BatchPlan *plan)
{
  g_autofree char *rest = rest_of (file);
  const char *said[] = {plan->on_cpu, result->warning, rest};
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (said); i++)
    if (said[i])
      g_string_append_printf (text, "%s%s", text->len ? " " : "", said[i]);
  return text->len ? g_strdup (text->str) : NULL;
}

/* The other images of the file are reported with the first. */
static void
tell_notes (const BatchFile *file, guint n, const BatchResult *result, const BatchPlan *plan)
{
  g_autofree char *rest = n ? NULL : rest_of (file);
  if (rest)
    plan->noted (plan->batch, file, n, rest);
  if (result->note)
    plan->noted (plan->batch, file, n, result->note);
}

/* The files that image and job have read in addition to the input, hashed. */
static char **
read_besides (const BatchFile *file, const BatchResult *result, const BatchPlan *plan)
{
  const GPtrArray *others = files_images_others (file->images);
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  for (guint i = 0; others && i < others->len; i++)
    g_ptr_array_add (paths, others->pdata[i]);
  for (char **path = result->reads; path && *path; path++)
    g_ptr_array_add (paths, *path);
  g_ptr_array_add (paths, NULL);
  return batch_reads_hashed (plan->reads, (const char *const *) paths->pdata);
}

static gboolean
run_and_save (const BatchFile *file, const BatchSubject *subject, const BatchOrigin *origin, const BatchPlan *plan,
              BatchRecord *record, GError **error)
{
  g_autoptr (BatchOutputs) outputs = batch_outputs_new ();
  BatchResult result = new_result (plan);
  gboolean done = plan->job->run (plan->job->self, subject, &result, error) && complete_hash (file, record, error)
                  && batch_origin_is_same (origin, error)
                  && batch_outputs_save (outputs, file, subject->series, plan, &result, subject->folder, error)
                  && save_rows (plan, result.table, record, error);
  if (done) {
    g_auto (GStrv) reads = read_besides (file, &result, plan);
    g_autofree const char **set = batch_sets_names (plan->sets, file->input, file->images);
    record->set = set;
    record->reads = (const char *const *) reads;
    add_summary (&result);
    record->names = (const char *const *) result.names->pdata;
    record->values = (const double *) (gconstpointer) result.values->data;
    record->device = result.device;
    g_autofree char *warning = warning_of (file, &result, plan);
    record->warning = warning;
    record->reproducible = result.reproducible;
    record->sums = result.sums;
    record->outputs = (const char *const *) outputs->names->pdata;
    record->sizes = (const gint64 *) outputs->sizes->data;
    record->seconds += (double) g_get_monotonic_time () / G_USEC_PER_SEC;
    batch_journal_add (plan->journal, record);
    tell_notes (file, subject->series, &result, plan);
  } else
    batch_outputs_remove (outputs, plan);
  clear_result (&result, plan);
  return done;
}

/* Names the output folder in an error, instead of the path in it that could not be saved. */
static void
name_folder (GError *error, const BatchFile *file, const BatchSubject *subject, const BatchPlan *plan)
{
  g_autofree char *relative = batch_names_fill (plan->patterns[0], file->name, subject->series),
                  *path = g_build_filename (plan->folder, relative, NULL), *shown = text_from_bytes (path),
                  *staging = g_strconcat (subject->folder, "/", NULL), *said = text_from_bytes (staging);
  GString *text = g_string_new (error->message);
  g_string_replace (text, said, shown, 0);
  g_free (error->message);
  error->message = g_string_free (text, FALSE);
}

/* With a folder to save in for a job that does it by itself. */
static gboolean
run_in_staging (const BatchFile *file, BatchSubject *subject, const BatchOrigin *origin, const BatchPlan *plan,
                BatchRecord *record, GError **error)
{
  g_autofree char *parent = NULL, *folder = NULL;
  if (!plan->job->saves)
    return run_and_save (file, subject, origin, plan, record, error);
  parent = batch_journal_staging (plan->journal);
  if (!(subject->folder = folder = batch_staging_new (parent, error)))
    return FALSE;
  GError *fault = NULL;
  gboolean done = run_and_save (file, subject, origin, plan, record, &fault);
  batch_staging_remove (folder);
  if (fault) {
    name_folder (fault, file, subject, plan);
    g_propagate_error (error, fault);
  }
  return done;
}

/* notes: of the image, which outlive the record; NULL: there are none. */
static BatchRecord
new_record (const BatchFile *file, guint n, const ImageNotes *notes, const BatchPlan *plan)
{
  return (BatchRecord){.file = file->file,
                       .series = n,
                       .of = file->count,
                       .stamp = file->stamp,
                       .work = plan->work,
                       .device = "",
                       .well = image_notes_property (notes, IMAGE_NOTES_WELL),
                       .field = image_notes_property (notes, IMAGE_NOTES_FIELD)};
}

static BatchSubject
new_subject (const BatchFile *file, guint n, Image *image, const char *name, const BatchPlan *plan)
{
  return (BatchSubject){.image = image, .path = file->path, .series = n, .name = name, .on_cpu = plan->on_cpu != NULL};
}

gboolean
batch_file_fits (const BatchFile *file, guint n, const BatchPlan *plan, GError **error)
{
  g_autoptr (Image) image = files_images_open (file->images, n, error);
  const BatchSubject subject = new_subject (file, n, image, file->file, plan);
  return image && (!plan->job->fits || plan->job->fits (plan->job->self, &subject, error));
}

gboolean
batch_file_do (const BatchFile *file, guint n, const BatchPlan *plan, GError **error)
{
  g_autofree char *name = n ? g_strdup_printf ("%s, image %u", file->file, n) : g_strdup (file->file);
  gsize bytes;
  const double start = (double) g_get_monotonic_time () / G_USEC_PER_SEC;
  g_auto (BatchOrigin) origin = {0};
  if (!batch_origin_look (&origin, file, n, error))
    return FALSE;
  g_autoptr (Image) image = files_images_open (file->images, n, error);
  BatchRecord record = new_record (file, n, image ? image_info (image)->notes : NULL, plan);
  record.seconds = -start;
  BatchSubject subject = new_subject (file, n, image, name, plan);
  if (!image || !plan->job->needs (plan->job->self, &subject, &bytes, error)
      || !batch_room_enter (plan->room, bytes, error))
    return FALSE;
  gboolean done = run_in_staging (file, &subject, &origin, plan, &record, error);
  batch_room_leave (plan->room, bytes);
  return done;
}

void
batch_file_record_fault (const BatchFile *file, guint n, const BatchPlan *plan, const char *why, guint suspect)
{
  ImageInfo info = {0};
  const char *depends;
  /* Of a plate, whose wells count images that failed, too. */
  if (file->images && file->count > 1)
    files_images_describe (file->images, n, &info, &depends, NULL);
  BatchRecord record = new_record (file, n, info.notes, plan);
  record.error = why;
  record.suspect = suspect;
  if (!*record.stamp.hash)
    files_hash_of_path (file->path, record.stamp.hash, NULL);
  batch_journal_add (plan->journal, &record);
  image_info_clear (&info);
}
