/* SPDX-License-Identifier: MIT
 *
 * Decoding, and copying into memory from which a card reads fast, goes on outside the turn; uploading, the steps and what comes of them
 * inside it.
 */
#include "core/batch/recipe_job.h"

#include "core/base/error.h"
#include "core/run/choice.h"
#include "core/run/execute.h"
#include "core/run/plan_memory.h"

#include <string.h>

#define WHOLE ((gsize) 1 << 30) /* bytes: a larger image is read as the run needs it */

struct RecipeJob {
  Modules *modules;
  Recipe *recipe;
  char **names; /* of n; NULL: the last image */
  guint n;
  char **wanted; /* those of them that are names */
  char *key;
  guint64 images;
  gint next; /* whose turn it is, of several cards; atomic */
  GMutex lock;
  GPtrArray *devices; /* Device; NULL: not chosen yet */
};

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
                     .key = g_strdup (device),
                     .images = images};
  g_mutex_init (&job->lock);
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
  g_free (job->key);
  g_clear_pointer (&job->devices, g_ptr_array_unref);
  g_mutex_clear (&job->lock);
  recipe_unref (job->recipe);
  g_free (job);
}

/* ---- Where ---- */

/* All that are like the device, when no single one was asked for. */
static GPtrArray *
devices_like (const RecipeJob *job, Device *device)
{
  GPtrArray *devices = g_ptr_array_new ();
  const GPtrArray *all = modules_devices (job->modules);
  gboolean one = device->fv->kind == FV_CPU || strchr (job->key, ':');
  for (guint i = 0; i < all->len && !one; i++) {
    Device *other = all->pdata[i];
    if (other->fv->kind == device->fv->kind && !other->fv->fault && device_ready (other, other->fv->key, NULL))
      g_ptr_array_add (devices, other);
  }
  if (!devices->len)
    g_ptr_array_add (devices, device);
  return devices;
}

/* Chooses at the first image. NULL with *error. */
static Device *
device_for (RecipeJob *job, const Run *run, GError **error)
{
  g_autofree char *reason = NULL;
  g_mutex_lock (&job->lock);
  if (!job->devices) {
    Device *device = choice_device_for_many (run, job->images, job->modules, job->key, &reason, error);
    job->devices = device ? devices_like (job, device) : NULL;
  }
  g_mutex_unlock (&job->lock);
  return job->devices ? job->devices->pdata[(guint) g_atomic_int_add (&job->next, 1) % job->devices->len] : NULL;
}

static gboolean
needs (gpointer self, Image *image, gsize *bytes, GError **error)
{
  RecipeJob *job = self;
  g_autoptr (Run) run = run_new (job->recipe, image, RUN_KEEP_NAMED);
  Device *device = device_for (job, run, error);
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
  guint place, result;
  Image *image = NULL;
  if (!job->names[i])
    image = run_last_image (run);
  else if (recipe_find (job->recipe, run_length (run), job->names[i], &place, &result)) {
    if (result == recipe_step (job->recipe, place)->op->n_outputs && run_result (run, place)->result.table)
      product->table = table_ref (run_result (run, place)->result.table);
    else
      image = run_image (run, place, result);
  }
  if (image && !image_on_host (image, progress_current (), error))
    return FALSE;
  product->image = image ? image_ref (image) : NULL;
  if (product->image || product->table)
    return TRUE;
  step_error_set (error, FV_BAD_ARGUMENT, "outputs", "There is no result '%s'.", job->names[i]);
  return FALSE;
}

static gboolean
execute (const RecipeJob *job, Run *run, Device *device, BatchResult *result, GError **error)
{
  if (!run_execute (run, device, progress_current (), error))
    return FALSE;
  for (guint i = 0; i < job->n; i++)
    if (!take_product (job, run, i, &result->products[i], error))
      return FALSE;
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
run_on (gpointer self, Image *image, BatchResult *result, GError **error)
{
  RecipeJob *job = self;
  g_autoptr (Run) run = run_new (job->recipe, image, RUN_KEEP_NAMED);
  Device *device = device_for (job, run, error);
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

BatchJob
recipe_job (RecipeJob *job)
{
  return (BatchJob){job, needs, run_on};
}

void
recipe_job_estimate (const RecipeJob *job, Image *image, guint64 images, double *core_ms, double *card_ms)
{
  g_autoptr (Run) run = run_new (job->recipe, image, RUN_KEEP_NAMED);
  run_want (run, (const char *const *) job->wanted);
  choice_estimate (run, images, job->modules, core_ms, card_ms);
}
