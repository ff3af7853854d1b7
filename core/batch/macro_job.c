/* SPDX-License-Identifier: MIT
 *
 * Each image has a host of its own, so that macros know nothing of each other.
 */
#include "core/batch/macro_job.h"

#include "core/base/error.h"
#include "core/batch/devices.h"
#include "core/data/pixel_type.h"
#include "core/macro/headless.h"
#include "core/ops/native.h"

enum { BYTES = 24 }; /* of host memory for each value of the image, as steps on the CPU take them at their peak */

struct MacroJob {
  Modules *modules;
  MacroJobOptions options; /* which refer to copies */
  BatchDevices *devices;
  GMutex printing;
  gint noted; /* whether a note was taken */
};

static MacroJobOptions
copy_options (const MacroJobOptions *from)
{
  MacroJobOptions to = *from;
  to.text = g_memdup2 (from->text, from->length);
  to.name = g_strdup (from->name);
  to.answers = (const char *const *) g_strdupv ((char **) from->answers);
  to.macro.folders = (const char *const *) g_strdupv ((char **) from->macro.folders);
  to.macro.path = g_strdup (from->macro.path);
  to.macro.argument = g_strdup (from->macro.argument);
  to.device = g_strdup (from->device);
  return to;
}

MacroJob *
macro_job_new (Modules *modules, const MacroJobOptions *options, GError **error)
{
  MacroJob *job;
  g_autoptr (Headless) host = headless_new (modules, NULL, NULL, &(HeadlessTalk){0});
  if (!macro_check (options->text, options->length, options->name, headless_host (host), error)
      || !native_check_macro (modules, options->text, options->name, error))
    return NULL;
  job = g_new0 (MacroJob, 1);
  *job = (MacroJob){
    .modules = modules,
    .options = copy_options (options),
    .devices = batch_devices_new (modules, options->device ? options->device : "auto", options->images),
  };
  g_mutex_init (&job->printing);
  return job;
}

void
macro_job_free (MacroJob *job)
{
  MacroJobOptions *o = &job->options;
  g_free ((gpointer) o->text);
  g_free ((gpointer) o->name);
  g_strfreev ((char **) o->answers);
  g_strfreev ((char **) o->macro.folders);
  g_free ((gpointer) o->macro.path);
  g_free ((gpointer) o->macro.argument);
  g_free ((gpointer) o->device);
  batch_devices_free (job->devices);
  g_mutex_clear (&job->printing);
  g_free (job);
}

static gboolean
check (gpointer self, GError **error)
{
  return batch_devices_check (((MacroJob *) self)->devices, error);
}

/* What steps will come is not known before: as many bytes as those of usual ones take. */
static gboolean
needs (gpointer self, const BatchSubject *subject, gsize *bytes, GError **error)
{
  gsize own = image_bytes (subject->image);
  (void) self, (void) error;
  *bytes = own + own / pixel_type_bytes (image_info (subject->image)->type) * BYTES;
  return TRUE;
}

/* A macro at its work on an image. */
typedef struct {
  MacroJob *job;
  const BatchSubject *subject;
  Device *device; /* of all its steps; NULL: not chosen yet */
  BatchResult *result;
} Work;

static Device *
choose (gpointer user, const Run *run, GError **error)
{
  Work *work = user;
  if (work->subject->on_cpu)
    work->device = modules_device (work->job->modules, "cpu", error);
  else if (!work->device)
    work->device = batch_devices_next (work->job->devices, run, error);
  return work->device;
}

static void
print (gpointer user, const char *line)
{
  const Work *work = user;
  const MacroJobOptions *options = &work->job->options;
  if (!options->print)
    return;
  g_mutex_lock (&work->job->printing);
  options->print (options->user, work->subject->name, line);
  g_mutex_unlock (&work->job->printing);
}

/* Of the first image that has one. */
static void
note (gpointer user, const char *text)
{
  const Work *work = user;
  if (g_atomic_int_compare_and_exchange (&work->job->noted, FALSE, TRUE))
    work->result->note = g_strdup (text);
}

static gboolean
run (gpointer self, const BatchSubject *subject, BatchResult *result, GError **error)
{
  MacroJob *job = self;
  const MacroJobOptions *o = &job->options;
  Work work = {job, subject, NULL, result};
  const HeadlessTalk talk = {.print = print, .note = note, .user = &work};
  g_autoptr (Headless) headless = headless_new (job->modules, o->device, o->answers, &talk);
  MacroOptions macro = o->macro;
  GError *fault = NULL;
  macro.input = subject->path;
  macro.input_image = subject->series;
  macro.output_folder = subject->folder;
  headless_choose (headless, choose, &work);
  headless_give (headless, subject->image, subject->path, subject->series);
  if (!macro_run (o->text, o->length, o->name, headless_host (headless), &macro, progress_current (), error)
      || !headless_all_asked (headless, error))
    return FALSE;
  result->table = headless_table (headless, &fault);
  result->reads = g_strdupv ((char **) headless_read (headless));
  if (*headless_reproducible (headless))
    result->reproducible = g_strdup (headless_reproducible (headless));
  if (*headless_sums (headless))
    result->sums = g_strdup (headless_sums (headless));
  if (headless_device (headless))
    result->device = headless_device (headless);
  if (fault)
    g_propagate_error (error, fault);
  return !fault;
}

static gboolean
lost (gpointer self)
{
  return batch_devices_are_lost (((MacroJob *) self)->devices);
}

BatchJob
macro_job (MacroJob *job)
{
  return (BatchJob){.self = job, .saves = TRUE, .check = check, .needs = needs, .run = run, .lost = lost};
}
