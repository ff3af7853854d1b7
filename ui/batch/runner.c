/* SPDX-License-Identifier: MIT
 */
#include "ui/batch/runner.h"

#include "core/base/text.h"
#include "core/batch/batch.h"
#include "core/batch/recipe_job.h"
#include "core/batch/table.h"

#include <string.h>

enum { MAX_FAILURES = 1000 };

struct _Runner {
  GObject parent;
  Modules *modules;
  Worker *worker;
  RunnerTask task;
  gboolean going;
  gint64 started, ended;
  char *input_folder;
  GHashTable *odd_names; /* text -> name of a file */
  GError *error;
  Table *table;
  GMutex lock;  /* guards what follows */
  Batch *batch; /* NULL: not made yet, or done */
  BatchCounts counts;
  GPtrArray *failures;
};

G_DEFINE_FINAL_TYPE (Runner, runner, G_TYPE_OBJECT)

static guint ended;

static void
task_clear (RunnerTask *task)
{
  g_clear_pointer (&task->recipe, recipe_unref);
  g_clear_pointer (&task->inputs, g_strfreev);
  g_clear_pointer (&task->folder, g_free);
  g_clear_pointer (&task->table, g_free);
  g_clear_pointer (&task->images, g_free);
  g_clear_pointer (&task->pattern, g_free);
  g_clear_pointer (&task->group, g_free);
  g_clear_pointer (&task->names, g_ptr_array_unref);
  g_clear_pointer (&task->patterns, g_ptr_array_unref);
  g_clear_pointer (&task->device, g_free);
  g_clear_pointer (&task->like, table_unref);
}

static void
failure_free (gpointer data)
{
  RunnerFailure *failure = data;
  g_free (failure->file);
  g_free (failure->path);
  g_free (failure->why);
  g_free (failure);
}

/* ---- On the worker ---- */

static void
on_failed (gpointer runner, const char *file, guint series, const char *why)
{
  Runner *r = runner;
  g_mutex_lock (&r->lock);
  if (r->failures->len < MAX_FAILURES) {
    RunnerFailure *failure = g_new (RunnerFailure, 1);
    *failure = (RunnerFailure){g_strdup (file), g_strconcat (r->input_folder, file, NULL), g_strdup (why), series};
    g_ptr_array_add (r->failures, failure);
  }
  g_mutex_unlock (&r->lock);
}

static gboolean
run_batch (Runner *r, Batch *batch, GError **error)
{
  gboolean done;
  g_mutex_lock (&r->lock);
  r->batch = batch;
  g_mutex_unlock (&r->lock);
  done = batch_run (batch, error);
  g_mutex_lock (&r->lock);
  r->counts = batch_counts (batch);
  r->batch = NULL;
  g_mutex_unlock (&r->lock);
  return done;
}

static void
note_names (Runner *r, const BatchInputs *inputs)
{
  r->input_folder = g_strdup (inputs->folder);
  r->odd_names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; i < inputs->files->len; i++) {
    const char *name = batch_input_name (inputs, i);
    g_autofree char *shown = text_from_bytes (name);
    if (strcmp (shown, name))
      g_hash_table_insert (r->odd_names, g_steal_pointer (&shown), g_strdup (name));
  }
}

/* Takes the inputs. */
static gboolean
make_and_run (Runner *r, BatchInputs *inputs, RecipeJob *made, GError **error)
{
  const RunnerTask *t = &r->task;
  const BatchJob job = recipe_job (made);
  guint n = t->names->len;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  for (guint i = 0; i < n; i++)
    g_strv_builder_add (builder, t->patterns->pdata[i]);
  g_auto (GStrv) patterns = g_strv_builder_end (builder);
  g_autofree char *steps = recipe_format (t->recipe), *what = recipe_job_text (t->recipe, error), *work = NULL;
  if (!what) {
    batch_inputs_free (inputs);
    return FALSE;
  }
  work = batch_work_text (what, (const char *const *) t->names->pdata, (const char *const *) patterns, n,
                          (CsvFormat){',', FALSE, FALSE}, NULL);
  const BatchOptions options = {.folder = t->folder,
                                .patterns = (const char *const *) patterns,
                                .work = work,
                                .steps = steps,
                                .table = t->table,
                                .images = t->images,
                                .name_pattern = t->pattern,
                                .group = t->group,
                                .format = {',', FALSE},
                                .shard = {0, 1},
                                .resume = t->resume,
                                .failed = on_failed,
                                .user = r};
  g_autoptr (Batch) batch = batch_new (inputs, &job, &options, error);
  return batch && run_batch (r, batch, error);
}

static gboolean
list_and_run (Runner *r, GError **error)
{
  const RunnerTask *t = &r->task;
  BatchInputs *inputs = batch_inputs_new ((const char *const *) t->inputs, t->folder, error);
  if (!inputs)
    return FALSE;
  note_names (r, inputs);
  RecipeJob *job = recipe_job_new (r->modules, t->recipe, (const char *const *) t->names->pdata, t->names->len,
                                   t->device, inputs->files->len);
  gboolean done = make_and_run (r, inputs, job, error);
  recipe_job_free (job);
  if (done && t->table)
    r->table = batch_table_read (t->table, t->like, error);
  return done && (r->table || !t->table);
}

static gboolean
work (gpointer data, Progress *progress, GError **error)
{
  progress_enter (progress);
  gboolean done = list_and_run (data, error);
  progress_enter (NULL);
  return done;
}

/* ---- In the main loop ---- */

static void
finished (gpointer data, const GError *error)
{
  Runner *r = data;
  r->going = FALSE;
  r->ended = g_get_monotonic_time ();
  r->error = error ? g_error_copy (error) : NULL;
  g_signal_emit (r, ended, 0);
  g_object_unref (r);
}

void
runner_start (Runner *r, const RunnerTask *task)
{
  task_clear (&r->task);
  r->task = *task;
  g_clear_pointer (&r->input_folder, g_free);
  g_clear_pointer (&r->odd_names, g_hash_table_unref);
  g_clear_error (&r->error);
  g_clear_pointer (&r->table, table_unref);
  g_ptr_array_set_size (r->failures, 0);
  r->counts = (BatchCounts){0};
  r->started = g_get_monotonic_time ();
  r->going = TRUE;
  worker_push (r->worker, &(WorkerJob){work, finished, g_object_ref (r), r});
}

void
runner_stop (Runner *r)
{
  if (r->going)
    worker_cancel (r->worker);
}

gboolean
runner_is_going (const Runner *r)
{
  return r->going;
}

const RunnerTask *
runner_task (const Runner *r)
{
  return &r->task;
}

BatchCounts
runner_counts (Runner *r)
{
  g_mutex_lock (&r->lock);
  if (r->batch)
    r->counts = batch_counts (r->batch);
  BatchCounts counts = r->counts;
  g_mutex_unlock (&r->lock);
  return counts;
}

double
runner_seconds (const Runner *r)
{
  return (double) ((r->going ? g_get_monotonic_time () : r->ended) - r->started) / G_USEC_PER_SEC;
}

GPtrArray *
runner_failures (Runner *r, guint from)
{
  GPtrArray *failures = g_ptr_array_new ();
  g_mutex_lock (&r->lock);
  for (guint i = from; i < r->failures->len; i++)
    g_ptr_array_add (failures, r->failures->pdata[i]);
  g_mutex_unlock (&r->lock);
  return failures;
}

const char *
runner_input_folder (const Runner *r)
{
  return r->input_folder;
}

GHashTable *
runner_odd_names (const Runner *r)
{
  return r->odd_names;
}

const GError *
runner_error (const Runner *r)
{
  return r->error;
}

Table *
runner_table (const Runner *r)
{
  return r->table;
}

/* ---- The object ---- */

static void
runner_finalize (GObject *object)
{
  Runner *r = FOVEA_RUNNER (object);
  task_clear (&r->task);
  g_free (r->input_folder);
  g_clear_pointer (&r->odd_names, g_hash_table_unref);
  g_clear_error (&r->error);
  table_unref (r->table);
  g_ptr_array_unref (r->failures);
  g_mutex_clear (&r->lock);
  G_OBJECT_CLASS (runner_parent_class)->finalize (object);
}

static void
runner_class_init (RunnerClass *class)
{
  G_OBJECT_CLASS (class)->finalize = runner_finalize;
  ended = g_signal_new ("ended", RUNNER_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
runner_init (Runner *r)
{
  g_mutex_init (&r->lock);
  r->failures = g_ptr_array_new_with_free_func (failure_free);
}

Runner *
runner_new (Modules *modules, Worker *worker)
{
  Runner *r = g_object_new (RUNNER_TYPE, NULL);
  r->modules = modules;
  r->worker = worker;
  return r;
}
