/* SPDX-License-Identifier: MIT
 *
 * The history is a list of recipes, which share the steps that are the same. Each run is of the newest one and takes over what
 * the run before has computed.
 */
#include "core/document/document.h"

#include "core/recipe/calibration.h"
#include "core/run/choice.h"
#include "core/run/execute.h"
#include "core/base/error.h"

#include <string.h>

struct _Document {
  GObject parent;
  Modules *modules;
  Worker *worker;
  Image *source;
  char *path, *device_key;
  GPtrArray *history; /* Recipe; all after `now` can be redone */
  guint now;
  char *text; /* of the current recipe; NULL: not computed yet */
  char *merge;
  DocumentChange change;
  char *saved;
  guint runs;         /* waiting or running */
  Run *run;           /* that came to its end last */
  GThreadPool *waste; /* frees older runs: to give back their memory can take longer than a frame */
  GError *error;
};

G_DEFINE_FINAL_TYPE (Document, document, G_TYPE_OBJECT)

enum { STEPS, RESULTS, BUSY, DEVICE, SAVED, SIGNALS };
static guint signals[SIGNALS];

static Recipe *
recipe_now (const Document *doc)
{
  return doc->history->pdata[doc->now];
}

static Recipe *
parse (const Document *doc, const char *text, GError **error)
{
  return *text ? recipe_parse (doc->modules, text, error) : recipe_new ();
}

/* ---- Running ---- */

typedef struct {
  Document *doc;
  Run *run;
  char *device_key;
} Job;

static gboolean
job_work (gpointer data, Progress *progress, GError **error)
{
  Job *job = data;
  g_autofree char *reason = NULL;
  Device *device = choice_device (job->run, job->doc->modules, job->device_key, &reason, error);
  return device && run_execute (job->run, device, progress, error);
}

static void
discard (gpointer run, gpointer data)
{
  (void) data;
  run_free (run);
}

static void
job_finished (gpointer data, const GError *error)
{
  Job *job = data;
  Document *doc = job->doc;
  doc->runs--;
  if (!step_error_is_cancelled (error)) {
    g_clear_error (&doc->error);
    doc->error = error ? g_error_copy (error) : NULL;
    Run *before = doc->run;
    doc->run = g_steal_pointer (&job->run);
    g_signal_emit (doc, signals[RESULTS], 0);
    g_thread_pool_push (doc->waste, before, NULL); /* no longer shown */
  } else if (doc->runs == 0) {                     /* stopped by the user: what was done before that stays done */
    g_clear_error (&doc->error);
    doc->error = g_error_copy (error);
    g_signal_emit (doc, signals[RESULTS], 0);
  }
  g_signal_emit (doc, signals[BUSY], 0);
  run_free (job->run);
  g_object_unref (doc);
  g_free (job->device_key);
  g_free (job);
}

/* All images stay: each row of the list of steps shows its own at a click. */
static void
run_start (Document *doc)
{
  Job *job = g_new (Job, 1);
  *job = (Job){g_object_ref (doc), run_new (recipe_now (doc), doc->source, RUN_KEEP_ALL), g_strdup (doc->device_key)};
  run_continue (job->run, doc->run);
  doc->runs++;
  worker_push (doc->worker, &(WorkerJob){job_work, job_finished, job, doc});
  g_signal_emit (doc, signals[BUSY], 0);
}

/* ---- History ---- */

static void
steps_changed (Document *doc)
{
  g_clear_pointer (&doc->text, g_free);
  run_start (doc);
  g_signal_emit (doc, signals[STEPS], 0);
}

static void
remember (Document *doc, Recipe *recipe, const char *merge)
{
  gboolean same = merge && doc->merge && !strcmp (merge, doc->merge) && doc->now > 0;
  g_ptr_array_set_size (doc->history, (gint) doc->now + (same ? 0 : 1));
  g_ptr_array_add (doc->history, recipe);
  doc->now = doc->history->len - 1;
  doc->change = same ? DOCUMENT_MERGED : DOCUMENT_CHANGED;
  g_free (doc->merge);
  doc->merge = g_strdup (merge);
}

/* Takes the recipe. FALSE when there is none. Files that it takes have their whole paths, wherever the steps will be read again. */
static gboolean
set_recipe (Document *doc, Recipe *given, const char *merge)
{
  Recipe *recipe = given ? recipe_in_folder (given, NULL) : NULL;
  recipe_unref (given);
  if (recipe && !recipe_equal (recipe, recipe_now (doc))) {
    remember (doc, recipe, merge);
    steps_changed (doc);
  } else
    recipe_unref (recipe);
  return recipe != NULL;
}

void
document_set_recipe (Document *doc, const Recipe *recipe)
{
  set_recipe (doc, recipe_ref (recipe), NULL);
}

void
document_set_recipe_merged (Document *doc, const Recipe *recipe, const char *merge)
{
  set_recipe (doc, recipe_ref (recipe), merge);
}

/* The name of the gesture that changes a parameter. */
static char *
gesture_of (guint index, const char *key)
{
  return g_strdup_printf ("%u %s", index, key);
}

void
document_set_recipe_for (Document *doc, const Recipe *recipe, guint index, const fv_param *param)
{
  g_autofree char *merge = gesture_of (index, param->key);
  set_recipe (doc, recipe_ref (recipe), merge);
}

gboolean
document_set_steps (Document *doc, const char *text, const char *merge, GError **error)
{
  return set_recipe (doc, parse (doc, text, error), merge);
}

DocumentChange
document_change (const Document *doc)
{
  return doc->change;
}

gboolean
document_can_undo (const Document *doc)
{
  return doc->now > 0;
}

gboolean
document_can_redo (const Document *doc)
{
  return doc->now + 1 < doc->history->len;
}

static void
move_to (Document *doc, guint now)
{
  doc->change = now < doc->now ? DOCUMENT_UNDONE : DOCUMENT_REDONE;
  doc->now = now;
  g_clear_pointer (&doc->merge, g_free);
  steps_changed (doc);
}

void
document_undo (Document *doc)
{
  if (document_can_undo (doc))
    move_to (doc, doc->now - 1);
}

void
document_redo (Document *doc)
{
  if (document_can_redo (doc))
    move_to (doc, doc->now + 1);
}

/* ---- Changing ---- */

gboolean
document_add_step (Document *doc, guint index, const char *step, GError **error)
{
  index = MIN (index, recipe_length (recipe_now (doc)));
  return set_recipe (doc, recipe_with_parsed (recipe_now (doc), index, 0, doc->modules, step, error), NULL);
}

gboolean
document_remove_step (Document *doc, guint index, GError **error)
{
  g_autoptr (Recipe) none = recipe_new ();
  return set_recipe (doc, recipe_with_steps (recipe_now (doc), index, 1, none, error), NULL);
}

gboolean
document_move_step (Document *doc, guint index, guint to, GError **error)
{
  to = MIN (to, recipe_length (recipe_now (doc)) - 1);
  return set_recipe (doc, recipe_with_move (recipe_now (doc), index, to, error), NULL);
}

void
document_skip_step (Document *doc, guint index, gboolean skip)
{
  set_recipe (doc, recipe_with_skip (recipe_now (doc), index, skip), NULL);
}

gboolean
document_set_value (Document *doc, guint index, const char *key, const char *value, GError **error)
{
  g_autofree char *merge = gesture_of (index, key);
  return set_recipe (doc, recipe_with_text (recipe_now (doc), index, key, value, error), merge);
}

gboolean
document_set_number (Document *doc, guint index, const fv_param *param, double number, GError **error)
{
  g_autofree char *merge = gesture_of (index, param->key);
  return set_recipe (doc, recipe_with_number (recipe_now (doc), index, param, number, error), merge);
}

const char *
document_name_result (Document *doc, guint index, guint result, GError **error)
{
  const Step *step = recipe_step (recipe_now (doc), index);
  if (!step->names[result]) {
    g_autofree char *name = recipe_free_name (recipe_now (doc), step->op->fv.key);
    if (!set_recipe (doc, recipe_with_name (recipe_now (doc), index, result, name, error), NULL))
      return NULL;
  }
  return recipe_step (recipe_now (doc), index)->names[result];
}

gboolean
document_set_calibration (Document *doc, const double spacing[3], const char *unit, GError **error)
{
  const ImageInfo *source = image_info (doc->source);
  return set_recipe (doc, recipe_with_calibration (recipe_now (doc), doc->modules, source, spacing, unit, error), NULL);
}

void
document_set_device (Document *doc, const char *key)
{
  g_free (doc->device_key);
  doc->device_key = g_strdup (key);
  g_signal_emit (doc, signals[DEVICE], 0);
  run_start (doc);
}

void
document_rerun (Document *doc)
{
  run_start (doc);
}

const char *
document_device_key (const Document *doc)
{
  return doc->device_key;
}

void
document_set_kept (Document *doc, const char *steps)
{
  g_free (doc->saved);
  doc->saved = g_strdup (steps);
}

void
document_saved (Document *doc, const char *steps, const char *verb, const char *path, const char *options)
{
  if (steps)
    document_set_kept (doc, steps);
  g_signal_emit (doc, signals[SAVED], 0, verb, path, options);
}

gboolean
document_unsaved (Document *doc)
{
  return *document_text (doc) && g_strcmp0 (document_text (doc), doc->saved);
}

/* ---- Looking ---- */

const Modules *
document_modules (const Document *doc)
{
  return doc->modules;
}

Image *
document_source (const Document *doc)
{
  return doc->source;
}

const char *
document_path (const Document *doc)
{
  return doc->path;
}

Worker *
document_worker (const Document *doc)
{
  return doc->worker;
}

const Recipe *
document_recipe (const Document *doc)
{
  return recipe_now (doc);
}

const char *
document_text (Document *doc)
{
  if (!doc->text)
    doc->text = recipe_format (recipe_now (doc));
  return doc->text;
}

gboolean
document_busy (const Document *doc)
{
  return doc->runs > 0;
}

gboolean
document_lags (const Document *doc)
{
  return doc->runs > 0 && run_recipe (doc->run) != recipe_now (doc);
}

const Run *
document_run (const Document *doc)
{
  return doc->run;
}

const GError *
document_error (const Document *doc, guint *index)
{
  *index = run_index (doc->run);
  return doc->error;
}

Image *
document_image (const Document *doc, int index)
{
  return run_image_at (doc->run, index);
}

/* ---- The object ---- */

static void
document_finalize (GObject *object)
{
  Document *doc = FOVEA_DOCUMENT (object);
  g_thread_pool_free (doc->waste, FALSE, TRUE);
  run_free (doc->run);
  g_ptr_array_unref (doc->history);
  g_clear_error (&doc->error);
  g_free (doc->merge);
  g_free (doc->text);
  g_free (doc->saved);
  g_free (doc->path);
  g_free (doc->device_key);
  image_unref (doc->source);
  G_OBJECT_CLASS (document_parent_class)->finalize (object);
}

static void
document_class_init (DocumentClass *class)
{
  static const char *const names[] = {"steps", "results", "busy", "device"};
  G_OBJECT_CLASS (class)->finalize = document_finalize;
  for (int i = 0; i < SAVED; i++)
    signals[i] = g_signal_new (names[i], DOCUMENT_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SAVED] = g_signal_new ("saved", DOCUMENT_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3,
                                 G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING);
}

static void
document_init (Document *doc)
{
  doc->history = g_ptr_array_new_with_free_func ((GDestroyNotify) recipe_unref);
  g_ptr_array_add (doc->history, recipe_new ());
  doc->device_key = g_strdup ("auto");
  doc->waste = g_thread_pool_new (discard, NULL, 1, FALSE, NULL);
}

Document *
document_new (Modules *modules, Worker *worker, Image *source, const char *path)
{
  Document *doc = g_object_new (DOCUMENT_TYPE, NULL);
  doc->modules = modules;
  doc->worker = worker;
  doc->source = image_ref (source);
  doc->path = g_strdup (path);
  doc->run = run_new (recipe_now (doc), source, RUN_KEEP_ALL);
  return doc;
}
