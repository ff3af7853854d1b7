/* SPDX-License-Identifier: MIT
 *
 * Making and executing runs. Who wants to hear of progress does so on the calling thread while another one works, so that no program
 * has to lock anything.
 */
#include "core/run/execute.h"

#include "core/run/choice.h"
#include "library/private.h"

enum { REPORT_US = 50000 };

/* Takes the run. */
static fovea_run *
wrap (fovea_context *context, Run *run)
{
  fovea_run *wrapped = g_new0 (fovea_run, 1);
  wrapped->context = library_context_ref (context);
  wrapped->run = run;
  return wrapped;
}

fovea_run *
fovea_run_new (const fovea_recipe *recipe, const fovea_image *image, fovea_keep keep, fovea_error **error)
{
  RunKeep kept = keep == FOVEA_KEEP_ALL ? RUN_KEEP_ALL : RUN_KEEP_NAMED;
  if (!library_has (recipe, "recipe", error)
      || (link_needs_source (recipe->recipe) && !library_has (image, "image", error)))
    return NULL;
  if (image && recipe->context != image->context) {
    library_fail_argument (error, "image", "It belongs to another context than the recipe.");
    return NULL;
  }
  return wrap (recipe->context, run_new (recipe->recipe, image ? image->image : NULL, kept));
}

fovea_run *
fovea_run_continue (const fovea_run *before, const fovea_recipe *recipe, fovea_error **error)
{
  Run *run;
  if (!library_has (before, "before", error) || !library_has (recipe, "recipe", error))
    return NULL;
  if (recipe->context != before->context) {
    library_fail_argument (error, "recipe", "It belongs to another context than the run.");
    return NULL;
  }
  run = run_new (recipe->recipe, run_source (before->run), run_keep (before->run));
  run_continue (run, before->run);
  return wrap (recipe->context, run);
}

fovea_code
fovea_run_want (fovea_run *run, const char *const *names, fovea_error **error)
{
  guint index, result;
  if (!library_has (run, "run", error) || !library_has (names, "names", error))
    return FOVEA_BAD_ARGUMENT;
  for (const char *const *name = names; *name; name++)
    if (!recipe_find (run_recipe (run->run), run_length (run->run), *name, &index, &result)) {
      library_fail_argument (error, "names", "No step names a result '%s': use as=NAME.", *name);
      return FOVEA_BAD_ARGUMENT;
    }
  run_want (run->run, names);
  return FOVEA_OK;
}

fovea_code
fovea_run_give (fovea_run *run, unsigned n, const fovea_image *image, fovea_error **error)
{
  if (!library_has (run, "run", error) || !library_has (image, "image", error))
    return FOVEA_BAD_ARGUMENT;
  if (run->context != image->context)
    return library_fail_argument (error, "image", "It belongs to another context than the run.");
  if (n >= run_length (run->run) || recipe_step (run_recipe (run->run), n)->op->n_outputs == 0)
    return library_fail_argument (error, "n",
                                  "Step %u does not exist or makes no image; the run has %u steps, counted from 0.", n,
                                  run_length (run->run));
  run_give (run->run, n, image->image);
  return FOVEA_OK;
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
  Device *device;
  gboolean done;
  if (!recipe_open_files (run_recipe (run->run), error)
      || !(device = choice_device (run->run, run->context->modules, key, &reason, error)))
    return FALSE;
  g_free (run->reason);
  run->reason = g_steal_pointer (&reason);
  run->device = device;
  library_device_enter (device);
  progress_enter (&run->progress);
  done = !progress_stopped (error) && run_execute (run->run, device, &run->progress, error);
  progress_enter (run->progress.outer);
  library_device_leave (device);
  return done;
}

/* Work that another thread does while this one reports. */
typedef struct {
  fovea_run *run;
  const char *key;
  gboolean done;
  GError *fault;
} Work;

static void
execute_for (gpointer data)
{
  Work *work = data;
  work->done = execute (work->run, work->key, &work->fault);
  progress_enter (NULL); /* the thread continues; the run that its work belonged to may not */
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

static gboolean
execute_and_report (fovea_run *run, const char *key, fovea_progress progress, void *user, GError **error)
{
  fovea_context *context = run->context;
  Work work = {.run = run, .key = key};
  Helper *helper = helper_take (&context->helper, &context->lock, error);
  if (!helper)
    return FALSE;
  helper_begin (helper, execute_for, &work);
  while (!helper_wait (helper, REPORT_US))
    report (run, progress, user);
  helper_give (helper, &context->helper, &context->lock);
  if (work.done)
    progress (user, run_length (run->run), run_length (run->run), 1);
  else
    g_propagate_error (error, work.fault);
  return work.done;
}

fovea_code
fovea_run_execute (fovea_run *run, const char *device, fovea_progress progress, void *user, fovea_error **error)
{
  GError *fault = NULL;
  const char *key = device ? device : "auto";
  gboolean done;
  if (!library_has (run, "run", error))
    return FOVEA_BAD_ARGUMENT;
  run->progress.outer = progress_current ();
  done = progress ? execute_and_report (run, key, progress, user, &fault) : execute (run, key, &fault);
  run->progress.outer = NULL;
  return done ? FOVEA_OK : library_fail (error, fault);
}

void
fovea_run_fetch_last (fovea_run *run)
{
  if (run)
    run_fetch_last (run->run);
}

void
fovea_run_cancel (fovea_run *run)
{
  if (run)
    progress_stop (&run->progress);
}
