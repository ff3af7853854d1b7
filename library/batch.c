/* SPDX-License-Identifier: MIT
 *
 * Batches of recipes.
 */
#include "core/batch/batch.h"

#include "core/base/error.h"
#include "core/batch/recipe_job.h"
#include "core/files/files.h"
#include "library/private.h"

#include <string.h>

struct fovea_batch {
  fovea_context *context;
  RecipeJob *job;
  Batch *batch;
};

/* What the options say, checked and in the terms of core. */
typedef struct {
  fovea_batch_options given;
  FilesTiffChoices tiff;
  GPtrArray *names, *patterns; /* of the outputs; patterns end with NULL */
  GString *work;
} Options;

static gboolean G_GNUC_PRINTF (3, 4) refuse (GError **error, const char *field, const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  g_autofree char *text = g_strdup_vprintf (format, ap);
  va_end (ap);
  step_error_set (error, FV_BAD_ARGUMENT, field, "%s", text);
  return FALSE;
}

/* ---- Options ---- */

static gboolean
has_table_step (const Recipe *recipe)
{
  for (guint i = 0; i < recipe_length (recipe); i++)
    if (recipe_step (recipe, i)->op->fv.kind == FV_TABLE && !recipe_step (recipe, i)->skipped)
      return TRUE;
  return FALSE;
}

/* A file for the result; its name may be NULL. */
static gboolean
check_output (const Recipe *recipe, const Options *o, const fovea_batch_output *output, GError **error)
{
  guint place, result;
  if (!output->pattern)
    return refuse (error, "outputs", "outputs: one has no pattern.");
  if (!output->name)
    return files_can_save (output->pattern, &o->tiff, error);
  if (!recipe_find (recipe, recipe_length (recipe), output->name, &place, &result))
    return refuse (error, "outputs", "No step names a result '%s': as=NAME does.", output->name);
  if (recipe_step (recipe, place)->skipped)
    return refuse (error, "outputs", "'%s' is skipped, so there is no result of it.", output->name);
  if (result < recipe_step (recipe, place)->op->n_outputs)
    return files_can_save (output->pattern, &o->tiff, error);
  return g_str_has_suffix (output->pattern, ".csv")
         || refuse (error, "outputs", "'%s' is a table, not an image; save it as a .csv file.", output->name);
}

static gboolean
take_outputs (const Recipe *recipe, Options *o, GError **error)
{
  for (const fovea_batch_output *const *at = o->given.outputs; at && *at; at++) {
    fovea_batch_output output = {0};
    memcpy (&output, *at, MIN (sizeof output, (*at)->size));
    if (!check_output (recipe, o, &output, error))
      return FALSE;
    g_ptr_array_add (o->names, (gpointer) output.name);
    g_ptr_array_add (o->patterns, (gpointer) output.pattern);
    g_string_append_printf (o->work, "%s=%s\n", output.name ? output.name : "", output.pattern);
  }
  g_ptr_array_add (o->patterns, NULL);
  return TRUE;
}

static gboolean
check (const Recipe *recipe, const Options *o, GError **error)
{
  const fovea_batch_options *given = &o->given;
  if (given->shard > given->shards || (given->shards && !given->shard))
    return refuse (error, "shard", "There is no shard %u of %u; they are counted from 1.", given->shard, given->shards);
  if (!given->table)
    return TRUE;
  if (given->shards > 1)
    return refuse (error, "table",
                   "A shard has not all rows: the table is saved of all shards together, when they have been run.");
  return has_table_step (recipe)
         || refuse (error, "table", "No step makes a table; add 'regionprops' after 'label', for example.");
}

static gboolean
take_options (const fovea_recipe *recipe, const fovea_batch_options *options, Options *o, fovea_error **error)
{
  GError *fault = NULL;
  if (!library_take (options, &o->given, sizeof o->given, "options", error)
      || !library_has (o->given.folder, "folder", error)
      || library_save_choices (o->given.save, &o->tiff, error) != FOVEA_OK)
    return FALSE;
  o->given.separator = o->given.separator ? o->given.separator : ',';
  g_string_append_printf (o->work, "%s\n%s\n%c %d %u %d\n", FOVEA_VERSION, fovea_recipe_text (recipe),
                          o->given.separator, (int) o->tiff.compression, o->tiff.tile, (int) o->tiff.pyramid);
  if (take_outputs (recipe->recipe, o, &fault) && check (recipe->recipe, o, &fault))
    return TRUE;
  library_fail (error, fault);
  return FALSE;
}

/* ---- Making it ---- */

static fovea_batch *
make (const fovea_recipe *recipe, const char *const *inputs, const Options *o, GError **error)
{
  BatchInputs *files =
    o->given.files_alone ? batch_inputs_of_files (inputs, error) : batch_inputs_new (inputs, o->given.folder, error);
  fovea_batch *batch;
  if (!files)
    return NULL;
  batch = g_new0 (fovea_batch, 1);
  batch->context = library_context_ref (recipe->context);
  batch->job = recipe_job_new (recipe->context->modules, recipe->recipe, (const char *const *) o->names->pdata,
                               o->names->len, o->given.device ? o->given.device : "auto", files->files->len);
  const BatchJob job = recipe_job (batch->job);
  const BatchOptions options = {
    .folder = o->given.folder,
    .patterns = (const char *const *) o->patterns->pdata,
    .tiff = &o->tiff,
    .work = o->work->str,
    .steps = fovea_recipe_text (recipe),
    .table = o->given.table,
    .separator = o->given.separator,
    .shard = {o->given.shard ? o->given.shard - 1 : 0, MAX (1, o->given.shards)},
    .resume = o->given.resume != 0,
    .jobs = o->given.jobs,
    .failed = o->given.failed,
    .user = o->given.user,
  };
  if ((batch->batch = batch_new (files, &job, &options, error)))
    return batch;
  fovea_batch_free (batch);
  return NULL;
}

fovea_batch *
fovea_batch_new (const fovea_recipe *recipe, const char *const *inputs, const fovea_batch_options *options,
                 fovea_error **error)
{
  Options o = {.names = g_ptr_array_new (), .patterns = g_ptr_array_new (), .work = g_string_new (NULL)};
  GError *fault = NULL;
  fovea_batch *batch = NULL;
  if (library_has (recipe, "recipe", error) && library_has (inputs, "inputs", error)
      && take_options (recipe, options, &o, error) && !(batch = make (recipe, inputs, &o, &fault)))
    library_fail (error, fault);
  g_ptr_array_unref (o.names);
  g_ptr_array_unref (o.patterns);
  g_string_free (o.work, TRUE);
  return batch;
}

void
fovea_batch_free (fovea_batch *batch)
{
  if (!batch)
    return;
  batch_free (batch->batch);
  recipe_job_free (batch->job);
  fovea_context_free (batch->context);
  g_free (batch);
}

/* ---- Running it ---- */

fovea_code
fovea_batch_run (fovea_batch *batch, fovea_error **error)
{
  GError *fault = NULL;
  if (!library_has (batch, "batch", error))
    return FOVEA_BAD_ARGUMENT;
  return batch_run (batch->batch, &fault) ? FOVEA_OK : library_fail (error, fault);
}

static fovea_code
give_counts (BatchCounts counts, fovea_batch_counts *to, fovea_error **error)
{
  const fovea_batch_counts all = {
    .images = counts.images, .done = counts.done, .failed = counts.failed, .before = counts.before};
  return library_give (&all, sizeof all, to, "counts", error) ? FOVEA_OK : FOVEA_BAD_ARGUMENT;
}

fovea_code
fovea_batch_get_counts (const fovea_batch *batch, fovea_batch_counts *counts, fovea_error **error)
{
  return library_has (batch, "batch", error) ? give_counts (batch_counts (batch->batch), counts, error)
                                             : FOVEA_BAD_ARGUMENT;
}

/* ---- Before it runs ---- */

const char *
fovea_batch_get_input (const fovea_batch *batch, size_t n)
{
  return batch ? batch_input_path (batch->batch, n) : NULL;
}

fovea_code
fovea_batch_pending (const fovea_batch *batch, unsigned shards, unsigned char *pending, fovea_error **error)
{
  GError *fault = NULL;
  if (!library_has (batch, "batch", error) || !library_has (pending, "pending", error))
    return FOVEA_BAD_ARGUMENT;
  if (!shards && !refuse (&fault, "shards", "There is at least one shard."))
    return library_fail (error, fault);
  return batch_pending (batch->batch, shards, pending, &fault) ? FOVEA_OK : library_fail (error, fault);
}

fovea_code
fovea_batch_estimate (const fovea_batch *batch, uint64_t images, double *core_ms, double *card_ms, fovea_error **error)
{
  GError *fault = NULL;
  g_autoptr (Image) image = NULL;
  if (!library_has (batch, "batch", error) || !library_has (core_ms, "core_ms", error)
      || !library_has (card_ms, "card_ms", error))
    return FOVEA_BAD_ARGUMENT;
  for (size_t n = 0; !image && batch_input_path (batch->batch, n); n++) {
    g_clear_error (&fault);
    image = files_open (batch_input_path (batch->batch, n), 0, &fault);
  }
  if (!image)
    return library_fail (error, fault);
  recipe_job_estimate (batch->job, image, images, core_ms, card_ms);
  return FOVEA_OK;
}

/* ---- Folders ---- */

fovea_code
fovea_batch_status (const char *path, fovea_batch_counts *counts, fovea_batch_failed failed, void *user,
                    fovea_error **error)
{
  GError *fault = NULL;
  if (!library_has (path, "folder", error))
    return FOVEA_BAD_ARGUMENT;
  g_autoptr (BatchFolder) folder = batch_folder_new (path, &fault);
  if (!folder)
    return library_fail (error, fault);
  for (guint i = 0; failed && i < folder->records->all->len; i++) {
    const BatchRecord *record = &g_array_index (folder->records->all, BatchRecord, i);
    if (!record->removed && record->error)
      failed (user, record->file, record->series, record->error);
  }
  return give_counts (batch_folder_counts (folder), counts, error);
}

fovea_code
fovea_batch_merge (const char *path, const char *table, char separator, fovea_error **error)
{
  GError *fault = NULL;
  if (!library_has (path, "folder", error) || !library_has (table, "table", error))
    return FOVEA_BAD_ARGUMENT;
  g_autoptr (BatchFolder) folder = batch_folder_new (path, &fault);
  if (folder && batch_folder_is_complete (folder, &fault) && batch_folder_save_table (folder, table, separator, &fault))
    return FOVEA_OK;
  return library_fail (error, fault);
}
