/* SPDX-License-Identifier: MIT
 *
 * Runs. Who wants to hear of progress does so on the calling thread while another one works, so that no program has to lock
 * anything.
 */
#include "core/run/run.h"

#include "core/base/error.h"
#include "core/run/choice.h"
#include "library/private.h"

struct fovea_run {
  fovea_context *context;
  Run *run;
  Progress progress;
  const Device *device;
  char *reason;
};

enum { REPORT_US = 50000 };

fovea_run *
fovea_run_new (const fovea_recipe *recipe, const fovea_image *image, fovea_error **error)
{
  fovea_run *run;
  if (!library_has (recipe, "recipe", error) || !library_has (image, "image", error))
    return NULL;
  if (recipe->context != image->context) {
    library_fail_argument (error, "image", "It is of another context than the recipe.");
    return NULL;
  }
  run = g_new0 (fovea_run, 1);
  run->context = library_context_ref (recipe->context);
  run->run = run_new (recipe->recipe, image->image, RUN_KEEP_NAMED);
  return run;
}

void
fovea_run_free (fovea_run *run)
{
  if (!run)
    return;
  run_free (run->run);
  g_free (run->reason);
  fovea_context_free (run->context);
  g_free (run);
}

/* ---- Executing ---- */

/* On the thread that works. */
static gboolean
execute (fovea_run *run, const char *key, GError **error)
{
  g_autofree char *reason = NULL;
  Device *device = choice_device (run->run, run->context->modules, key, &reason, error);
  gboolean done;
  if (!device)
    return FALSE;
  g_free (run->reason);
  run->reason = g_steal_pointer (&reason);
  run->device = device;
  library_device_enter (device);
  progress_enter (&run->progress);
  done = !progress_stopped (error) && run_execute (run->run, device, &run->progress, error);
  progress_enter (NULL);
  library_device_leave (device);
  return done;
}

/* Work that another thread does while this one reports. */
typedef struct {
  fovea_run *run;
  const char *key;
  GMutex lock; /* guards what follows */
  GCond ended;
  gboolean has_ended, done;
  GError *fault;
} Work;

static gpointer
execute_in_thread (gpointer data)
{
  Work *work = data;
  GError *fault = NULL;
  gboolean done = execute (work->run, work->key, &fault);
  g_mutex_lock (&work->lock);
  work->has_ended = TRUE;
  work->done = done;
  work->fault = fault;
  g_cond_signal (&work->ended);
  g_mutex_unlock (&work->lock);
  return NULL;
}

static void
report (fovea_run *run, fovea_progress progress, void *user)
{
  guint parts = MAX (1, (guint) g_atomic_int_get (&run->progress.parts));
  guint part = (guint) g_atomic_int_get (&run->progress.part);
  double done = (part + g_atomic_int_get (&run->progress.permille) / 1000.0) / parts;
  if (progress (user, part, parts, CLAMP (done, 0, 1)))
    fovea_run_cancel (run);
}

/* Waits for the end, or until it is time to report; whether it has ended. */
static gboolean
wait_for (Work *work)
{
  gint64 until = g_get_monotonic_time () + REPORT_US;
  gboolean ended;
  g_mutex_lock (&work->lock);
  while (!work->has_ended && g_cond_wait_until (&work->ended, &work->lock, until))
    ;
  ended = work->has_ended;
  g_mutex_unlock (&work->lock);
  return ended;
}

static gboolean
execute_and_report (fovea_run *run, const char *key, fovea_progress progress, void *user, GError **error)
{
  Work work = {.run = run, .key = key};
  GThread *thread;
  g_mutex_init (&work.lock);
  g_cond_init (&work.ended);
  if ((thread = g_thread_try_new ("fovea-run", execute_in_thread, &work, error))) {
    while (!wait_for (&work))
      report (run, progress, user);
    g_thread_join (thread);
  }
  g_cond_clear (&work.ended);
  g_mutex_clear (&work.lock);
  if (work.done)
    progress (user, run_length (run->run), run_length (run->run), 1);
  else if (work.fault)
    g_propagate_error (error, work.fault);
  return work.done;
}

fovea_code
fovea_run_execute (fovea_run *run, const char *device, fovea_progress progress, void *user, fovea_error **error)
{
  GError *fault = NULL;
  const char *key = device ? device : "auto";
  if (!library_has (run, "run", error))
    return FOVEA_BAD_ARGUMENT;
  if (progress ? execute_and_report (run, key, progress, user, &fault) : execute (run, key, &fault))
    return FOVEA_OK;
  return library_fail (error, fault);
}

void
fovea_run_cancel (fovea_run *run)
{
  progress_stop (&run->progress);
}

/* ---- Results ---- */

static void
fail_name (const char *name, const char *what, GError **error)
{
  if (name)
    step_error_set (error, FV_BAD_ARGUMENT, "name",
                    "There is no %s '%s': as=NAME names one, and it has to be computed.", what, name);
  else
    step_error_set (error, FV_BAD_ARGUMENT, "name", "There is no %s: no step has made one.", what);
}

/* The image and the table of that name, or the last ones; NULL: there is none. */
static void
find (const fovea_run *run, const char *name, Image **image, Table **table)
{
  guint place, result;
  *image = NULL;
  *table = NULL;
  if (!name) {
    *image = run_place (run->run) == run_length (run->run) ? run_last_image (run->run) : NULL;
    *table = run_last_table (run->run);
  } else if (recipe_find (run_recipe (run->run), run_length (run->run), name, &place, &result)) {
    *image = run_image (run->run, place, result);
    if (result == recipe_step (run_recipe (run->run), place)->op->n_outputs)
      *table = run_result (run->run, place)->result.table;
  }
}

fovea_image *
fovea_run_image (const fovea_run *run, const char *name, fovea_error **error)
{
  GError *fault = NULL;
  Image *image;
  Table *table;
  if (!library_has (run, "run", error))
    return NULL;
  find (run, name, &image, &table);
  if (image)
    return library_image_new (run->context, image_ref (image));
  fail_name (name, "image", &fault);
  library_fail (error, fault);
  return NULL;
}

fovea_table *
fovea_run_table (const fovea_run *run, const char *name, fovea_error **error)
{
  GError *fault = NULL;
  Image *image;
  Table *table;
  if (!library_has (run, "run", error))
    return NULL;
  find (run, name, &image, &table);
  if (table)
    return library_table_new (table);
  fail_name (name, "table", &fault);
  library_fail (error, fault);
  return NULL;
}

const char *
fovea_run_device (const fovea_run *run)
{
  return run->device ? run->device->fv->key : NULL;
}

const char *
fovea_run_reason (const fovea_run *run)
{
  return run->reason;
}

double
fovea_run_ms (const fovea_run *run)
{
  return run_ms (run->run);
}
