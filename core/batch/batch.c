/* SPDX-License-Identifier: MIT
 */
#include "core/batch/batch.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/batch/batch_private.h"
#include "core/base/name_pattern.h"
#include "core/batch/names.h"
#include "core/batch/stamp.h"

#include <string.h>

enum {
  MAX_GUILTY = 16, /* images: a GPU that fails on more of them is itself at fault, and the CPU processes the rest */
};

/* ---- Making it ---- */

/* Whether the table has no columns of such names, and none of them chooses files. */
static gboolean
check_parts (const NamePattern *pattern, const char *text, GError **error)
{
  static const char *const taken[] = {"file", "series", NULL};
  for (guint i = 0; i < pattern->names->len; i++) {
    const char *name = pattern->names->pdata[i], *pick = pattern->picks->pdata[i];
    if (g_strv_contains (taken, name))
      step_error_set (error, FV_BAD_ARGUMENT, "name_pattern", "'%s': the table already has a column '%s'.", text, name);
    else if (pick)
      step_error_set (error, FV_BAD_ARGUMENT, "name_pattern",
                      "'%s': ':%s' chooses files of a data set, and here names are only read. Remove it.", text, pick);
    else
      continue;
    return FALSE;
  }
  return TRUE;
}

/* Whether all inputs have names of the pattern. */
static gboolean
check_names (const Batch *batch, GError **error)
{
  g_autoptr (NamePattern) pattern = NULL;
  g_auto (GStrv) group = g_strsplit (batch->group ? batch->group : "", ",", -1);
  if (batch->pattern
      && (!(pattern = name_pattern_new (batch->pattern, error)) || !check_parts (pattern, batch->pattern, error)))
    return FALSE;
  for (char **part = group; *part; part++)
    if (strcmp (*part, BATCH_WELL) && strcmp (*part, BATCH_FIELD) && /* which images of plates have */
        (!pattern || !g_ptr_array_find_with_equal_func (pattern->names, *part, g_str_equal, NULL))) {
      step_error_set (error, FV_BAD_ARGUMENT, "group", "Group '%s' is not a part of the pattern of names.", *part);
      return FALSE;
    }
  if (!pattern)
    return TRUE;
  for (guint i = 0; i < batch->inputs->files->len; i++) {
    g_auto (GStrv) parts = name_pattern_match (pattern, batch_input (batch->inputs, i)->path);
    if (parts)
      continue;
    g_autofree char *shown = text_from_bytes (batch_input_name (batch->inputs, i));
    step_error_set (error, FV_BAD_ARGUMENT, "name_pattern", "The name '%s' does not match '%s'.", shown,
                    batch->pattern);
    return FALSE;
  }
  return TRUE;
}

/* Macros may read what is beside their inputs. */
static gboolean
check_urls (const Batch *batch, GError **error)
{
  const char *first = batch_input (batch->inputs, 0)->path; /* all are, or none is */
  if (!batch->job.saves || !file_source_is_url (first))
    return TRUE;
  g_autofree char *shown = text_from_bytes (first);
  step_error_set (error, FV_BAD_ARGUMENT, "inputs", "'%s' is a URL, but macros need files. Download them first.",
                  shown);
  return FALSE;
}

static void
tell_note (gpointer data, const BatchFile *file, guint n, const char *note)
{
  Batch *batch = data;
  g_mutex_lock (&batch->telling);
  if (batch->noted)
    batch->noted (batch->user, file->file, n, note);
  g_mutex_unlock (&batch->telling);
}

Batch *
batch_new (BatchInputs *inputs, const BatchJob *job, const BatchOptions *options, GError **error)
{
  g_autoptr (Batch) batch = g_new0 (Batch, 1);
  *batch = (Batch){.inputs = inputs,
                   .job = *job,
                   .folder = g_canonicalize_filename (options->folder, NULL),
                   .patterns = g_strdupv ((char **) options->patterns),
                   .steps = g_strdup (options->steps),
                   .table = options->table ? g_canonicalize_filename (options->table, NULL) : NULL,
                   .images = options->images ? g_canonicalize_filename (options->images, NULL) : NULL,
                   .group = g_strdup (options->group),
                   .pattern = g_strdup (options->name_pattern),
                   .choices = g_strdup (options->choices),
                   .shard = options->shard,
                   .resume = options->resume,
                   .at_a_time = options->jobs,
                   .failed = options->failed,
                   .noted = options->noted,
                   .renew = options->renew,
                   .user = options->user};
  g_mutex_init (&batch->lock);
  g_mutex_init (&batch->telling);
  g_cond_init (&batch->change);
  batch_room_init (&batch->room);
  batch_reads_init (&batch->reads);
  batch->plan = (BatchPlan){.job = &batch->job,
                            .noted = tell_note,
                            .batch = batch,
                            .room = &batch->room,
                            .reads = &batch->reads,
                            .sets = batch_sets_new (inputs),
                            .inputs = inputs,
                            .folder = batch->folder,
                            .patterns = (const char *const *) batch->patterns,
                            .choices = batch->choices,
                            .format = options->format};
  file_hash_of_text (options->work, strlen (options->work), batch->plan.work);
  batch->counts.images = batch_inputs_of_shard (batch->inputs, batch->shard);
  batch->names = batch_names_new (inputs, options->patterns, batch->folder, batch->table, error);
  return batch->names && check_names (batch, error) && check_urls (batch, error) ? g_steal_pointer (&batch) : NULL;
}

char *
batch_work_text (const char *what, const char *const *names, const char *const *patterns, guint n, CsvFormat format,
                 const char *choices)
{
  GString *work = g_string_new (NULL);
  g_string_printf (work, "%s\n%s\n%c%s%s\n", FOVEA_VERSION, what, format.separator, format.raw ? "raw" : "",
                   choices ? choices : "");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (work, "%s=%s\n", names[i] ? names[i] : "", patterns[i]);
  return g_string_free (work, FALSE);
}

void
batch_free (Batch *batch)
{
  if (!batch)
    return;
  g_clear_pointer (&batch->plan.sets, batch_sets_free);
  batch_inputs_free (batch->inputs);
  g_clear_pointer (&batch->names, g_ptr_array_unref);
  g_strfreev (batch->patterns);
  g_free (batch->folder);
  g_free (batch->steps);
  g_free (batch->choices);
  g_free (batch->table);
  g_free (batch->images);
  g_free (batch->pattern);
  g_free (batch->group);
  batch_room_clear (&batch->room);
  batch_reads_clear (&batch->reads);
  g_cond_clear (&batch->change);
  g_mutex_clear (&batch->telling);
  g_mutex_clear (&batch->lock);
  g_free (batch);
}

BatchCounts
batch_counts (Batch *batch)
{
  BatchCounts counts;
  g_mutex_lock (&batch->lock);
  counts = batch->counts;
  g_mutex_unlock (&batch->lock);
  return counts;
}

/* ---- Beginning and end ---- */

/* What was recorded of files that are no inputs of the shard any more is taken back. */
static void
remove_others (const Batch *batch)
{
  const GArray *before = batch->plan.before->all;
  g_autoptr (GHashTable) mine = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = batch->shard.number; before->len && i < batch->inputs->files->len; i += batch->shard.of)
    g_hash_table_add (mine, (gpointer) batch_input_name (batch->inputs, i));
  for (guint i = 0; i < before->len; i++) {
    BatchRecord record = g_array_index (before, BatchRecord, i);
    if (record.removed || g_hash_table_contains (mine, record.file))
      continue;
    record.removed = TRUE;
    batch_journal_add (batch->plan.journal, &record);
  }
}

static void
begin (const Batch *batch)
{
  char hash[FILE_HASH_TEXT];
  batch_inputs_hash (batch->inputs, hash);
  const BatchHeader header = {FOVEA_VERSION,  batch->steps,
                              hash,           batch_inputs_of_shard (batch->inputs, batch->shard),
                              batch->pattern, batch->inputs->folder};
  batch_journal_add_header (batch->plan.journal, &header);
  remove_others (batch);
}

static gboolean
save_tables (const Batch *batch, GError **error)
{
  if (!batch->table && !batch->images)
    return TRUE;
  g_autoptr (BatchFolder) folder = batch_folder_new (batch->folder, error);
  return folder && (!batch->table || batch_folder_save_table (folder, batch->table, batch->plan.format, error))
         && (!batch->images
             || batch_folder_save_images (folder, batch->images, batch->group, batch->plan.format, error));
}

/* Whether the GPU has failed on so many images that no image is the cause. */
static gboolean
has_many_guilty (const Batch *batch)
{
  guint guilty = 0;
  for (guint i = 0; i < batch->plan.before->all->len; i++)
    guilty += g_array_index (batch->plan.before->all, BatchRecord, i).suspect == 2;
  return guilty >= MAX_GUILTY;
}

/* All remaining images, or until a GPU is lost. */
static gboolean
run_round (Batch *batch, gboolean *renewable, GError **error)
{
  if (!(batch->plan.journal = batch_journal_open (batch->folder, batch->shard, batch->resume, error)))
    return FALSE;
  batch->plan.before = batch_journal_before (batch->plan.journal);
  *renewable = batch->renew && !has_many_guilty (batch);
  begin (batch);
  gboolean done = batch_work (batch, error) && (batch->lost || save_tables (batch, error));
  g_clear_pointer (&batch->plan.journal, batch_journal_close);
  return done;
}

/* Begins again with what is left, after a GPU was lost. */
static void
restart (Batch *batch)
{
  g_mutex_lock (&batch->lock);
  batch->counts = (BatchCounts){.images = batch_inputs_of_shard (batch->inputs, batch->shard)};
  batch->lost = FALSE;
  g_mutex_unlock (&batch->lock);
  batch->progress = (Progress){.outer = batch->progress.outer};
  batch->resume = batch->all_on_cpu = TRUE;
}

gboolean
batch_run (Batch *batch, GError **error)
{
  gboolean done, renewable;
  if (!batch->job.check (batch->job.self, error))
    return FALSE;
  batch->progress.outer = progress_current ();
  batch->plan.resume = batch->resume; /* what is done again after a GPU was lost has left nothing */
  while ((done = run_round (batch, &renewable, error)) && batch->lost) {
    if (renewable)
      batch->renew (batch->user);
    restart (batch);
  }
  return done;
}

const char *
batch_input_path (const Batch *batch, gsize n)
{
  return n < batch->inputs->files->len ? batch_input (batch->inputs, (guint) n)->path : NULL;
}
