/* SPDX-License-Identifier: MIT
 *
 * Decoding, and copying into pinned memory, happen before a job gets its turn on the device. Uploads, steps and
 * results need the turn.
 */
#include "core/batch/recipe_job.h"

#include "core/base/error.h"
#include "core/data/device_lost.h"
#include "core/batch/devices.h"
#include "core/files/files.h"
#include "core/run/choice.h"
#include "core/run/execute.h"
#include "core/run/missed.h"
#include "core/run/plan_memory.h"
#include "core/run/reproducible.h"
#include "core/run/used_files.h"

#include <string.h>

#define WHOLE ((gsize) 1 << 30) /* bytes: a larger image is read as the run needs it */

struct RecipeJob {
  Modules *modules;
  Recipe *recipe;
  char **names; /* of n; NULL: the last image */
  guint n;
  char **wanted; /* those of them that are names */
  BatchDevices *devices;
  gint said[2]; /* what is made of slices, one volume or planes: whether it was said */
};

char *
recipe_job_text (const Recipe *recipe, GError **error)
{
  g_autofree char *steps = recipe_format (recipe);
  g_autoptr (GString) text = g_string_new (steps);
  for (guint n = 0; n < recipe_length (recipe); n++) {
    const Step *step = recipe_step (recipe, n);
    if (step->op->made)
      g_string_append_printf (text, "\n%s", step->op->made);
    for (guint i = 0; i < step->op->n_inputs; i++) {
      const FileInput *file = step->files[i];
      char hash[FILE_HASH_TEXT];
      if (file && !files_hash_of_path (file_input_path (file), hash, error))
        return NULL;
      if (file)
        g_string_append_printf (text, "\n%s", hash);
    }
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

RecipeJob *
recipe_job_new (Modules *modules, const Recipe *recipe, const char *const *names, guint n, const char *device,
                guint64 images)
{
  RecipeJob *job = g_new0 (RecipeJob, 1);
  g_autoptr (GStrvBuilder) wanted = g_strv_builder_new ();
  *job = (RecipeJob){.modules = modules,
                     .recipe = recipe_ref (recipe),
                     .names = g_new0 (char *, n),
                     .n = n,
                     .devices = batch_devices_new (modules, device, images)};
  for (guint i = 0; i < n; i++)
    if ((job->names[i] = g_strdup (names[i])))
      g_strv_builder_add (wanted, names[i]);
  job->wanted = g_strv_builder_end (wanted);
  return job;
}

void
recipe_job_free (RecipeJob *job)
{
  if (!job)
    return;
  for (guint i = 0; i < job->n; i++)
    g_free (job->names[i]);
  g_free (job->names);
  g_strfreev (job->wanted);
  batch_devices_free (job->devices);
  recipe_unref (job->recipe);
  g_free (job);
}

/* Whether the devices that steps have of their own exist. */
static gboolean
check_devices (const RecipeJob *job, GError **error)
{
  for (guint i = 0; i < recipe_length (job->recipe); i++) {
    const Step *step = recipe_step (job->recipe, i);
    if (!step->device || !strcmp (step->device, "auto") || modules_device (job->modules, step->device, error))
      continue;
    g_prefix_error (error, "%s: ", step->op->fv.key);
    return FALSE;
  }
  return TRUE;
}

static gboolean
check (gpointer self, GError **error)
{
  const RecipeJob *job = self;
  return batch_devices_check (job->devices, error) && check_devices (job, error)
         && recipe_open_files (job->recipe, error);
}

static Device *
device_of (const RecipeJob *job, const BatchSubject *subject, const Run *run, gboolean next, GError **error)
{
  if (subject->on_cpu)
    return modules_device (job->modules, "cpu", error);
  return next ? batch_devices_next (job->devices, run, error) : batch_devices_any (job->devices, run, error);
}

/* What is made of the slices, when no image before it had some that are taken so; NULL: nothing to say. Takes and frees what recipe_for_image() says. */
static char *
note_once (RecipeJob *job, const Recipe *recipe, char *said)
{
  g_autofree char *own = said;
  const gboolean volume = recipe_volume (recipe) != recipe_volume (job->recipe);
  if (!own || !g_atomic_int_compare_and_exchange (&job->said[volume], FALSE, TRUE))
    return NULL;
  return g_strdup_printf (volume ? "%s; volume=no | before the steps processes each slice separately."
                                 : "%s; volume=yes | before the steps processes them as one volume.",
                          own);
}

static gboolean
fits (gpointer self, const BatchSubject *subject, GError **error)
{
  const RecipeJob *job = self;
  g_autoptr (Recipe) recipe = recipe_for_image (job->recipe, image_info (subject->image), NULL);
  g_autoptr (Run) run = run_new (recipe, subject->image, RUN_KEEP_NAMED);
  g_autoptr (Plan) plan = plan_new (run, NULL);
  if (!plan->fault)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&plan->fault));
  return FALSE;
}

static gboolean
needs (gpointer self, const BatchSubject *subject, gsize *bytes, GError **error)
{
  RecipeJob *job = self;
  g_autoptr (Recipe) recipe = recipe_for_image (job->recipe, image_info (subject->image), NULL);
  g_autoptr (Run) run = run_new (recipe, subject->image, RUN_KEEP_NAMED);
  Device *device = device_of (job, subject, run, FALSE, error);
  g_autoptr (Plan) plan = NULL;
  if (!device)
    return FALSE;
  run_want (run, (const char *const *) job->wanted);
  plan = plan_new (run, device);
  *bytes = plan_memory_needed (plan, device);
  return TRUE;
}

/* ---- What ---- */

static gboolean
take_product (const RecipeJob *job, const Run *run, guint i, BatchProduct *product, GError **error)
{
  guint index, result;
  Image *image = NULL;
  if (!job->names[i])
    image = run_last_image (run);
  else if (recipe_find (job->recipe, run_length (run), job->names[i], &index, &result)) {
    if (result == recipe_step (job->recipe, index)->op->n_outputs && run_result (run, index)->result.table)
      product->table = table_ref (run_result (run, index)->result.table);
    else
      image = run_image (run, index, result);
  }
  if (image && !image_on_host (image, progress_current (), error))
    return FALSE;
  product->image = image ? image_ref (image) : NULL;
  if (product->image || product->table)
    return TRUE;
  step_error_set (error, FV_BAD_ARGUMENT, "outputs", "Result '%s' does not exist.", job->names[i]);
  return FALSE;
}

/* The mean of `rows` numbers of step i, which are n apart. */
static void
take_number (BatchResult *result, guint i, const char *key, const double *numbers, gint64 rows, guint n)
{
  double mean = 0;
  for (gint64 row = 0; row < rows; row++)
    mean += numbers[row * n] / (double) rows;
  g_ptr_array_add (result->names, g_ptr_array_find_with_equal_func (result->names, key, g_str_equal, NULL)
                                    ? g_strdup_printf ("%s of step %u", key, i + 1)
                                    : g_strdup (key));
  g_array_append_val (result->values, mean);
}

/* The numbers that all steps have found, and that derived values came to; of several planes the mean. */
static void
take_numbers (const Run *run, BatchResult *result)
{
  result->names = g_ptr_array_new_with_free_func (g_free);
  result->values = g_array_new (FALSE, FALSE, sizeof (double));
  for (guint i = 0; i < run_length (run); i++) {
    const RunStep *step = run_result (run, i);
    const Op *op = step->step->op;
    const CallResult *made = &step->result;
    const CallEach *each = step->derived ? &step->derived->each : NULL;
    for (guint k = 0; each && k < each->n; k++)
      take_number (result, i, each->params[k]->key, each->values + k, each->planes, each->n);
    for (guint j = 0; made->scalars && made->scalar_rows && j < op->n_scalars; j++)
      take_number (result, i, op->fv.scalars[j].key, made->scalars + j, made->scalar_rows, op->n_scalars);
  }
}

static gboolean
execute (const RecipeJob *job, Run *run, Device *device, BatchResult *result, GError **error)
{
  g_autoptr (GString) reproducible = g_string_new (NULL), sums = g_string_new (NULL);
  if (!run_execute (run, device, progress_current (), error))
    return FALSE;
  for (guint i = 0; i < job->n; i++)
    if (!take_product (job, run, i, &result->products[i], error))
      return FALSE;
  result->warning = missed_text (run);
  reproducible_add (reproducible, run);
  result->reproducible = reproducible->len ? g_strdup (reproducible->str) : NULL;
  used_files_add (sums, run);
  result->sums = sums->len ? g_strdup (sums->str) : NULL;
  result->reads = used_files (run);
  take_numbers (run, result);
  result->table = run_last_table (run) ? table_ref (run_last_table (run)) : NULL;
  return TRUE;
}

static gboolean
wants_last (const RecipeJob *job)
{
  for (guint i = 0; i < job->n; i++)
    if (!job->names[i])
      return TRUE;
  return FALSE;
}

static gboolean
run_on (gpointer self, const BatchSubject *subject, BatchResult *result, GError **error)
{
  RecipeJob *job = self;
  Image *image = subject->image;
  char *said;
  g_autoptr (Recipe) chosen = recipe_for_image (job->recipe, image_info (image), &said),
                     recipe = subject->on_cpu ? recipe_without_devices (chosen) : recipe_ref (chosen);
  g_autoptr (Run) run = run_new (recipe, image, RUN_KEEP_NAMED);
  Device *device = device_of (job, subject, run, TRUE, error);
  result->note = note_once (job, recipe, said);
  gboolean done;
  if (!device)
    return FALSE;
  result->device = device->fv->key;
  run_want (run, (const char *const *) job->wanted);
  if (wants_last (job))
    run_fetch_last (run);
  if (image_bytes (image) <= WHOLE)
    image_near (image, device);
  if (!device->discrete)
    return execute (job, run, device, result, error);
  if (image_bytes (image) <= WHOLE && !image_on_host (image, progress_current (), error))
    return FALSE;
  g_mutex_lock (&device->turn);
  done = !progress_stopped (error) && execute (job, run, device, result, error);
  g_mutex_unlock (&device->turn);
  return done;
}

static gboolean
has_own_device (const Recipe *recipe)
{
  for (guint i = 0; i < recipe_length (recipe); i++)
    if (recipe_step (recipe, i)->device)
      return TRUE;
  return FALSE;
}

static gboolean
any_is_lost (const GPtrArray *devices)
{
  for (guint i = 0; i < devices->len; i++)
    if (device_is_lost (((const Device *) devices->pdata[i])->fv, NULL))
      return TRUE;
  return FALSE;
}

static gboolean
lost (gpointer self)
{
  const RecipeJob *job = self;
  return batch_devices_are_lost (job->devices)
         || (has_own_device (job->recipe) && any_is_lost (modules_devices (job->modules)));
}

BatchJob
recipe_job (RecipeJob *job)
{
  return (BatchJob){.self = job, .check = check, .needs = needs, .fits = fits, .run = run_on, .lost = lost};
}

void
recipe_job_estimate (const RecipeJob *job, Image *image, guint64 images, double *core_ms, double *gpu_ms)
{
  g_autoptr (Recipe) recipe = recipe_for_image (job->recipe, image_info (image), NULL);
  g_autoptr (Run) run = run_new (recipe, image, RUN_KEEP_NAMED);
  run_want (run, (const char *const *) job->wanted);
  choice_estimate (run, images, job->modules, core_ms, gpu_ms);
}
