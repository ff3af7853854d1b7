/* SPDX-License-Identifier: MIT
 *
 * Batches of recipes and of macros.
 */
#include "core/batch/batch.h"

#include "core/base/error.h"
#include "core/batch/macro_job.h"
#include "core/batch/recipe_job.h"
#include "core/files/files.h"
#include "core/files/raw.h"
#include "core/files/tables.h"
#include "library/private.h"

#include <string.h>

struct fovea_batch {
  fovea_context *context;
  RecipeJob *recipe; /* the one or the other */
  MacroJob *macro;
  void (*print) (void *user, const char *line); /* what it prints */
  void *user;
  Batch *batch;
};

/* What the options say, checked and in the terms of core. */
typedef struct {
  fovea_batch_options given;
  char *choices; /* of saving */
  CsvFormat format;
  GPtrArray *names, *patterns; /* of the outputs; patterns end with NULL */
  const char *work;            /* what is done, in full */
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

/* A file for the result; its name may be NULL. */
static gboolean
check_output (const Recipe *recipe, const Options *o, const fovea_batch_output *output, GError **error)
{
  guint index, result;
  if (!output->pattern)
    return refuse (error, "outputs", "outputs: one has no pattern.");
  if (!output->name)
    return files_can_save (output->pattern, o->choices, error);
  if (!recipe_find (recipe, recipe_length (recipe), output->name, &index, &result))
    return refuse (error, "outputs", "No step names a result '%s': use as=NAME.", output->name);
  if (recipe_step (recipe, index)->skipped)
    return refuse (error, "outputs", "'%s' is skipped, so it has no result.", output->name);
  if (result < recipe_step (recipe, index)->op->n_outputs)
    return files_can_save (output->pattern, o->choices, error);
  CsvFormat format = o->format;
  return files_table_format (output->pattern, &format, error);
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
  }
  g_ptr_array_add (o->patterns, NULL);
  return TRUE;
}

static gboolean
check (const Options *o, GError **error)
{
  const fovea_batch_options *given = &o->given;
  if (given->shard > given->shards || (given->shards && !given->shard))
    return refuse (error, "shard", "Shard %u of %u does not exist; shards are counted from 1.", given->shard,
                   given->shards);
  CsvFormat format = o->format;
  if (given->table && !files_table_format (given->table, &format, error))
    return FALSE;
  if (given->images && !files_table_format (given->images, &format, error))
    return FALSE;
  if (given->images && !g_strcmp0 (given->images, given->table))
    return refuse (error, "images", "The table of images and the table of their rows would be the same file.");
  return (!given->table && !given->images) || given->shards <= 1
         || refuse (error, "table", "A shard has only part of the rows. Merge the table when all shards are done.");
}

static gboolean
check_recipe (const Recipe *recipe, Options *o, GError **error)
{
  return take_outputs (recipe, o, error)
         && (!o->given.table || recipe_makes_table (recipe)
             || refuse (error, "table", "No step makes a table; add one, such as 'regionprops' after 'label'."));
}

/* All files that a macro saves go into a folder of the image. */
static gboolean
check_macro (Options *o, GError **error)
{
  if (o->given.outputs && *o->given.outputs)
    return refuse (error, "outputs",
                   "A macro saves its files itself with saveAs(). Files saved for an image go into a folder "
                   "of that image.");
  g_ptr_array_add (o->patterns, "{name}/");
  g_ptr_array_add (o->patterns, NULL);
  return TRUE;
}

static gboolean
take_options (const fovea_batch_options *options, Options *o, fovea_error **error)
{
  GError *fault = NULL;
  if (!library_take (options, &o->given, sizeof o->given, "options", error)
      || !library_has (o->given.folder, "folder", error)
      || library_save_choices (o->given.save, &o->choices, error) != FOVEA_OK)
    return FALSE;
  const fovea_csv_options csv = {sizeof csv, o->given.separator, o->given.raw};
  if (library_csv_format (&csv, &o->format, error))
    return FALSE;
  return check (o, &fault) || !library_fail (error, fault);
}

static void
options_init (Options *o, const char *work)
{
  *o = (Options){.names = g_ptr_array_new (), .patterns = g_ptr_array_new (), .work = work};
}

static void
options_clear (Options *o)
{
  g_free (o->choices);
  g_ptr_array_unref (o->names);
  g_ptr_array_unref (o->patterns);
}

/* ---- Making it ---- */

static BatchInputs *
find_inputs (const char *const *inputs, const Options *o, GError **error)
{
  g_autoptr (BatchInputs) found =
    o->given.files_alone ? batch_inputs_of_files (inputs, error) : batch_inputs_new (inputs, o->given.folder, error);
  for (guint i = 0; found && o->given.raw_pixels && i < found->files->len; i++)
    if (!files_raw_set (batch_input (found, i)->path, o->given.raw_pixels, error))
      return NULL;
  return g_steal_pointer (&found);
}

/* Of a job, whose maker has put it there; takes the batch, and the inputs. steps: of the job, for people. */
static fovea_batch *
make (fovea_batch *batch, BatchInputs *files, BatchJob job, const char *steps, const Options *o, GError **error)
{
  g_autofree char *named =
    batch_work_text (o->work, (const char *const *) o->names->pdata, (const char *const *) o->patterns->pdata,
                     o->names->len, o->format, o->choices);
  g_autofree char *work = g_strconcat (named, o->given.raw_pixels, NULL);
  const BatchOptions options = {
    .folder = o->given.folder,
    .patterns = (const char *const *) o->patterns->pdata,
    .choices = o->choices,
    .work = work,
    .steps = steps,
    .table = o->given.table,
    .images = o->given.images,
    .group = o->given.group,
    .name_pattern = o->given.name_pattern,
    .format = o->format,
    .shard = {o->given.shard ? o->given.shard - 1 : 0, MAX (1, o->given.shards)},
    .resume = o->given.resume != 0,
    .jobs = o->given.jobs,
    .failed = o->given.failed,
    .noted = o->given.noted,
    .renew = o->given.renew,
    .user = o->given.user,
  };
  if ((batch->batch = batch_new (files, &job, &options, error)))
    return batch;
  fovea_batch_free (batch);
  return NULL;
}

static fovea_batch *
make_of_recipe (const fovea_recipe *recipe, const char *const *inputs, Options *o, GError **error)
{
  BatchInputs *files;
  fovea_batch *batch;
  g_autofree char *work = NULL;
  if (!check_recipe (recipe->recipe, o, error) || !(work = recipe_job_text (recipe->recipe, error))
      || !(files = find_inputs (inputs, o, error)))
    return NULL;
  o->work = work;
  batch = g_new0 (fovea_batch, 1);
  batch->context = library_context_ref (recipe->context);
  batch->recipe = recipe_job_new (recipe->context->modules, recipe->recipe, (const char *const *) o->names->pdata,
                                  o->names->len, o->given.device ? o->given.device : "auto", files->files->len);
  return make (batch, files, recipe_job (batch->recipe), fovea_recipe_text (recipe), o, error);
}

fovea_batch *
fovea_batch_new (const fovea_recipe *recipe, const char *const *inputs, const fovea_batch_options *options,
                 fovea_error **error)
{
  Options o;
  GError *fault = NULL;
  fovea_batch *batch = NULL;
  options_init (&o, NULL);
  if (library_has (recipe, "recipe", error) && library_has (inputs, "inputs", error)
      && take_options (options, &o, error) && !(batch = make_of_recipe (recipe, inputs, &o, &fault)))
    library_fail (error, fault);
  options_clear (&o);
  return batch;
}

/* ---- Of a macro ---- */

/* A macro as the program gives it. */
typedef struct {
  const char *path, *text;
  gsize length;
  char *name;
  fovea_macro_options options;
} Macro;

static void
on_print (gpointer data, const char *image, const char *line)
{
  const fovea_batch *batch = data;
  g_autofree char *text = g_strdup_printf ("%s: %s", image, line);
  batch->print (batch->user, text);
}

static fovea_batch *
make_of_macro (fovea_context *context, const Macro *macro, const char *const *inputs, Options *o, GError **error)
{
  BatchInputs *files;
  fovea_batch *batch;
  g_autoptr (GPtrArray) answers = library_macro_answers (macro->options.arguments);
  MacroJobOptions job = {.text = macro->text,
                         .length = macro->length,
                         .name = macro->name,
                         .answers = (const char *const *) answers->pdata,
                         .macro = library_macro_settings (macro->path, &macro->options),
                         .device = o->given.device};
  if (!check_macro (o, error) || !(files = find_inputs (inputs, o, error)))
    return NULL;
  batch = g_new0 (fovea_batch, 1);
  batch->context = library_context_ref (context);
  batch->print = macro->options.print;
  batch->user = macro->options.user;
  job.images = files->files->len;
  job.print = batch->print ? on_print : NULL;
  job.user = batch;
  if ((batch->macro = macro_job_new (context->modules, &job, error)))
    return make (batch, files, macro_job (batch->macro), macro->name, o, error);
  batch_inputs_free (files);
  fovea_batch_free (batch);
  return NULL;
}

/* All that its results depend on, but its inputs. */
static char *
work_of (const Macro *macro)
{
  g_autoptr (GString) work = g_string_new_len (macro->text, (gssize) macro->length);
  for (const char *const *argument = macro->options.arguments; argument && *argument; argument++)
    g_string_append_printf (work, "\n%s", *argument);
  return g_string_free (g_steal_pointer (&work), FALSE);
}

fovea_batch *
fovea_batch_new_of_macro (fovea_context *context, const char *path, const char *text, const fovea_macro_options *macro,
                          const char *const *inputs, const fovea_batch_options *options, fovea_error **error)
{
  Options o;
  Macro job = {.path = path, .text = text, .length = text ? strlen (text) : 0};
  GError *fault = NULL;
  fovea_batch *batch = NULL;
  g_autofree char *read = NULL, *name = job.name = library_macro_name (path), *work = NULL;
  if (!library_has (context, "context", error) || !library_has (inputs, "inputs", error)
      || (!text && !library_has (path, "path", error))
      || (macro && !library_take (macro, &job.options, sizeof job.options, "macro", error)))
    return NULL;
  if (!text && !(job.text = read = library_macro_read (path, &job.length, &fault))) {
    library_fail (error, fault);
    return NULL;
  }
  work = work_of (&job);
  options_init (&o, work);
  if (take_options (options, &o, error) && !(batch = make_of_macro (context, &job, inputs, &o, &fault)))
    library_fail (error, fault);
  options_clear (&o);
  return batch;
}

void
fovea_batch_free (fovea_batch *batch)
{
  if (!batch)
    return;
  g_clear_pointer (&batch->batch, batch_free);
  g_clear_pointer (&batch->recipe, recipe_job_free);
  g_clear_pointer (&batch->macro, macro_job_free);
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
  const fovea_batch_counts all = {.images = counts.images,
                                  .done = counts.done,
                                  .failed = counts.failed,
                                  .before = counts.before,
                                  .parts = counts.parts};
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

typedef struct {
  void (*tell) (void *user, const fovea_batch_expected *image);
  void *user;
} Listener;

static void
tell_expected (gpointer data, const BatchExpected *image)
{
  const Listener *listener = data;
  const fovea_batch_expected expected = {sizeof expected, image->file,    image->series, image->of,
                                         image->done,     image->belongs, image->fault,  image->outputs};
  listener->tell (listener->user, &expected);
}

fovea_code
fovea_batch_expect (fovea_batch *batch, void (*tell) (void *user, const fovea_batch_expected *image), void *user,
                    fovea_error **error)
{
  GError *fault = NULL;
  Listener listener = {tell, user};
  if (!library_has (batch, "batch", error) || !library_has (tell ? batch : NULL, "tell", error))
    return FOVEA_BAD_ARGUMENT;
  return batch_expect (batch->batch, tell_expected, &listener, &fault) ? FOVEA_OK : library_fail (error, fault);
}

fovea_code
fovea_batch_pending (const fovea_batch *batch, unsigned shards, unsigned char *pending, fovea_error **error)
{
  GError *fault = NULL;
  if (!library_has (batch, "batch", error) || !library_has (pending, "pending", error))
    return FOVEA_BAD_ARGUMENT;
  if (!shards && !refuse (&fault, "shards", "There must be at least one shard."))
    return library_fail (error, fault);
  return batch_pending (batch->batch, shards, pending, &fault) ? FOVEA_OK : library_fail (error, fault);
}

fovea_code
fovea_batch_estimate (const fovea_batch *batch, uint64_t images, double *core_ms, double *gpu_ms, fovea_error **error)
{
  GError *fault = NULL;
  g_autoptr (Image) image = NULL;
  if (!library_has (batch, "batch", error) || !library_has (core_ms, "core_ms", error)
      || !library_has (gpu_ms, "gpu_ms", error))
    return FOVEA_BAD_ARGUMENT;
  if (!batch->recipe && !refuse (&fault, NULL, "The steps of a macro are not known before it runs them."))
    return library_fail (error, fault);
  for (size_t n = 0; !image && batch_input_path (batch->batch, n); n++) {
    g_clear_error (&fault);
    image = files_open (batch_input_path (batch->batch, n), 0, &fault);
  }
  if (!image)
    return library_fail (error, fault);
  recipe_job_estimate (batch->recipe, image, images, core_ms, gpu_ms);
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

/* The folder of a batch, all of which is done; NULL with *error. */
static BatchFolder *
whole_folder (const char *path, const char *to, const fovea_csv_options *options, CsvFormat *format,
              fovea_error **error)
{
  GError *fault = NULL;
  if (!library_has (path, "folder", error) || !library_has (to, "table", error)
      || library_csv_format (options, format, error))
    return NULL;
  g_autoptr (BatchFolder) folder = batch_folder_new (path, &fault);
  if (folder && batch_folder_is_complete (folder, &fault))
    return g_steal_pointer (&folder);
  library_fail (error, fault);
  return NULL;
}

fovea_code
fovea_batch_merge (const char *path, const char *table, const fovea_csv_options *options, fovea_error **error)
{
  GError *fault = NULL;
  CsvFormat format;
  g_autoptr (BatchFolder) folder = whole_folder (path, table, options, &format, error);
  if (!folder)
    return error && *error ? fovea_error_code (*error) : FOVEA_BAD_ARGUMENT;
  return batch_folder_save_table (folder, table, format, &fault) ? FOVEA_OK : library_fail (error, fault);
}

fovea_code
fovea_batch_merge_images (const char *path, const char *images, const char *group, const fovea_csv_options *options,
                          fovea_error **error)
{
  GError *fault = NULL;
  CsvFormat format;
  g_autoptr (BatchFolder) folder = whole_folder (path, images, options, &format, error);
  if (!folder)
    return error && *error ? fovea_error_code (*error) : FOVEA_BAD_ARGUMENT;
  return batch_folder_save_images (folder, images, group, format, &fault) ? FOVEA_OK : library_fail (error, fault);
}
