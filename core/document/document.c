/* SPDX-License-Identifier: MIT
 *
 * Steps are a text, so that the history is a list of texts. Each run parses the newest text and takes over what the run before
 * has computed.
 */
#include "core/document/document.h"

#include "core/ops/args.h"
#include "core/run/choice.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/units.h"

#include <string.h>

struct _Document {
  GObject parent;
  Modules *modules;
  Worker *worker;
  Image *source;
  char *path, *device_key;
  Pipeline *steps;
  GPtrArray *history; /* texts; all after `now` can be redone */
  guint now;
  char *merge;
  DocumentChange change;
  char *saved;
  guint runs; /* waiting or running */
  Pipeline *results;
  GThreadPool *waste; /* frees older results: to give back their memory can take longer than a frame */
  const Device *device;
  GError *error;
};

G_DEFINE_FINAL_TYPE (Document, document, G_TYPE_OBJECT)

enum { STEPS, RESULTS, BUSY, DEVICE, SAVED, SIGNALS };
static guint signals[SIGNALS];

static Pipeline *
parse (const Document *doc, const char *text, GError **error)
{
  return *text ? pipeline_parse (doc->modules, text, error) : pipeline_new ();
}

/* ---- Running ---- */

typedef struct {
  Document *doc;
  Pipeline *pipeline;
  char *device_key;
  Device *device; /* that was chosen */
} Run;

static gboolean
run_work (gpointer data, Progress *progress, GError **error)
{
  Run *run = data;
  Image *source = run->doc->source;
  g_autofree char *reason = NULL;
  run->device = choice_device (run->pipeline, run->doc->modules, source, run->device_key, &reason, error);
  return run->device && pipeline_run (run->pipeline, source, run->device, progress, error);
}

static void
discard (gpointer pipeline, gpointer data)
{
  (void) data;
  pipeline_free (pipeline);
}

static void
run_finished (gpointer data, const GError *error)
{
  Run *run = data;
  Document *doc = run->doc;
  doc->runs--;
  if (!step_error_is_cancelled (error)) {
    g_clear_error (&doc->error);
    doc->error = error ? g_error_copy (error) : NULL;
    Pipeline *before = doc->results;
    doc->results = g_steal_pointer (&run->pipeline);
    doc->device = run->device;
    g_signal_emit (doc, signals[RESULTS], 0);
    g_thread_pool_push (doc->waste, before, NULL); /* nobody shows them any more */
  } else if (doc->runs == 0) {                     /* stopped by the user: what was done before that stays done */
    g_clear_error (&doc->error);
    doc->error = g_error_copy (error);
    g_signal_emit (doc, signals[RESULTS], 0);
  }
  g_signal_emit (doc, signals[BUSY], 0);
  g_clear_pointer (&run->pipeline, pipeline_free);
  g_object_unref (doc);
  g_free (run->device_key);
  g_free (run);
}

static void
run_start (Document *doc)
{
  g_autoptr (GError) error = NULL;
  Pipeline *pipeline = parse (doc, document_text (doc), &error);
  if (!pipeline) {
    g_clear_error (&doc->error);
    doc->error = g_steal_pointer (&error);
    g_signal_emit (doc, signals[RESULTS], 0);
    return;
  }
  pipeline_adopt (pipeline, doc->results);
  Run *run = g_new (Run, 1);
  *run = (Run){g_object_ref (doc), pipeline, g_strdup (doc->device_key), NULL};
  doc->runs++;
  worker_push (doc->worker, &(WorkerJob){run_work, run_finished, run, doc});
  g_signal_emit (doc, signals[BUSY], 0);
}

/* ---- History ---- */

static void
steps_changed (Document *doc)
{
  pipeline_free (doc->steps);
  doc->steps = parse (doc, document_text (doc), NULL);
  g_signal_emit (doc, signals[STEPS], 0);
  run_start (doc);
}

static void
remember (Document *doc, char *text, const char *merge)
{
  gboolean same = merge && doc->merge && !strcmp (merge, doc->merge) && doc->now > 0;
  g_ptr_array_set_size (doc->history, (gint) doc->now + (same ? 0 : 1));
  g_ptr_array_add (doc->history, text);
  doc->now = doc->history->len - 1;
  doc->change = same ? DOCUMENT_MERGED : DOCUMENT_CHANGED;
  g_free (doc->merge);
  doc->merge = g_strdup (merge);
}

/* The steps become those. */
static void
become (Document *doc, const Pipeline *pipeline, const char *merge)
{
  char *normal = pipeline_format (pipeline);
  if (!strcmp (normal, document_text (doc))) {
    g_free (normal);
    return;
  }
  remember (doc, normal, merge);
  steps_changed (doc);
}

gboolean
document_set_steps (Document *doc, const char *text, const char *merge, GError **error)
{
  g_autoptr (Pipeline) pipeline = parse (doc, text, error);
  if (!pipeline)
    return FALSE;
  become (doc, pipeline, merge);
  return TRUE;
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

/* The texts of all steps. */
static GPtrArray *
texts_of (const Document *doc)
{
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < pipeline_length (doc->steps); i++)
    g_ptr_array_add (texts, step_format (pipeline_step (doc->steps, i)));
  return texts;
}

static gboolean
set_texts (Document *doc, GPtrArray *texts, const char *merge, GError **error)
{
  g_autofree char *text = NULL;
  g_ptr_array_add (texts, NULL);
  text = g_strjoinv (" | ", (char **) texts->pdata);
  return document_set_steps (doc, text, merge, error);
}

gboolean
document_add_step (Document *doc, guint place, const char *step, GError **error)
{
  g_autoptr (GPtrArray) texts = texts_of (doc);
  g_ptr_array_insert (texts, (gint) MIN (place, texts->len), g_strdup (step));
  return set_texts (doc, texts, NULL, error);
}

gboolean
document_replace_step (Document *doc, guint place, const char *step, GError **error)
{
  g_autoptr (GPtrArray) texts = texts_of (doc);
  g_free (texts->pdata[place]);
  texts->pdata[place] = g_strdup (step);
  return set_texts (doc, texts, NULL, error);
}

gboolean
document_remove_step (Document *doc, guint place, GError **error)
{
  g_autoptr (GPtrArray) texts = texts_of (doc);
  g_ptr_array_remove_index (texts, place);
  return set_texts (doc, texts, NULL, error);
}

gboolean
document_move_step (Document *doc, guint place, guint to, GError **error)
{
  g_autoptr (GPtrArray) texts = texts_of (doc);
  char *text = g_ptr_array_steal_index (texts, place);
  g_ptr_array_insert (texts, (gint) MIN (to, texts->len), text);
  return set_texts (doc, texts, NULL, error);
}

/* The step is changed in a copy of the steps. */
static gboolean
change (Document *doc, guint place, const char *key, const char *value, gboolean skip, const char *merge,
        GError **error)
{
  g_autoptr (Pipeline) copy = parse (doc, document_text (doc), error);
  Step *step;
  if (!copy)
    return FALSE;
  step = pipeline_step (copy, place);
  step->skipped = skip;
  if (key && !step_set (step, key, value, error))
    return FALSE;
  become (doc, copy, merge);
  return TRUE;
}

gboolean
document_skip_step (Document *doc, guint place, gboolean skip, GError **error)
{
  return change (doc, place, NULL, NULL, skip, NULL, error);
}

gboolean
document_set_value (Document *doc, guint place, const char *key, const char *value, GError **error)
{
  g_autofree char *merge = g_strdup_printf ("%u %s", place, key);
  return change (doc, place, key, value, pipeline_step (doc->steps, place)->skipped, merge, error);
}

static gboolean
is_taken (const Document *doc, const char *name)
{
  for (guint i = 0; i < pipeline_length (doc->steps); i++)
    if (!g_strcmp0 (pipeline_step (doc->steps, i)->name, name))
      return TRUE;
  return FALSE;
}

static char *
free_name (const Document *doc, const char *stem)
{
  char *name = g_strdup (stem);
  for (guint n = 2; is_taken (doc, name); n++) {
    g_free (name);
    name = g_strdup_printf ("%s%u", stem, n);
  }
  return name;
}

const char *
document_name_step (Document *doc, guint place, GError **error)
{
  const Step *step = pipeline_step (doc->steps, place);
  g_autofree char *name = NULL;
  if (step->name)
    return step->name;
  name = free_name (doc, step->op->fv.key);
  if (!change (doc, place, "as", name, step->skipped, NULL, error))
    return NULL;
  return pipeline_step (doc->steps, place)->name;
}

/* ---- Calibration ---- */

/* Steps that take `from` take `to`; whether there are any. */
static gboolean
redirect (const Pipeline *steps, const char *from, const char *to)
{
  gboolean any = FALSE;
  for (guint i = 0; i < pipeline_length (steps); i++) {
    const Step *step = pipeline_step (steps, i);
    for (guint k = 0; k < step->op->n_inputs; k++)
      if (!g_strcmp0 (step->inputs[k], from)) {
        g_free (step->inputs[k]);
        step->inputs[k] = g_strdup (to);
        any = TRUE;
      }
  }
  return any;
}

static gboolean
is_calibration (const ImageInfo *info, const double spacing[3], const char *unit)
{
  for (int axis = 0; axis < 3; axis++)
    if (info->spacing[axis] != spacing[axis] || strcmp (info->units[axis], unit))
      return FALSE;
  return TRUE;
}

static char *
format_calibration (const double spacing[3], const char *unit, const char *name)
{
  g_autofree char *z = text_from_number (spacing[0]), *y = text_from_number (spacing[1]);
  g_autofree char *x = text_from_number (spacing[2]), *quoted = text_quote (unit);
  GString *s = g_string_new (NULL);
  g_string_append_printf (s, "calibrate width=%s unit=%s", x, quoted);
  if (spacing[1] != spacing[2])
    g_string_append_printf (s, " height=%s", y);
  if (spacing[0] != spacing[2])
    g_string_append_printf (s, " depth=%s", z);
  if (name)
    g_string_append_printf (s, " as=%s", name);
  return g_string_free (s, FALSE);
}

gboolean
document_set_calibration (Document *doc, const double spacing[3], const char *unit, GError **error)
{
  g_autoptr (Pipeline) copy = parse (doc, document_text (doc), error);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *normal = units_normal (unit), *name = NULL;
  if (!copy)
    return FALSE;
  const Step *first = pipeline_length (copy) ? pipeline_step (copy, 0) : NULL;
  gboolean calibrated = first && !strcmp (first->op->fv.key, "calibrate");
  if (calibrated && first->name)
    redirect (copy, first->name, PIPELINE_SOURCE);
  if (!is_calibration (image_info (doc->source), spacing, normal)) {
    name = calibrated && first->name ? g_strdup (first->name) : free_name (doc, "calibrated");
    gboolean named = redirect (copy, PIPELINE_SOURCE, name);
    g_ptr_array_add (texts, format_calibration (spacing, normal, named ? name : NULL));
  }
  for (guint i = calibrated; i < pipeline_length (copy); i++)
    g_ptr_array_add (texts, step_format (pipeline_step (copy, i)));
  return set_texts (doc, texts, NULL, error);
}

void
document_set_device (Document *doc, const char *key)
{
  g_free (doc->device_key);
  doc->device_key = g_strdup (key);
  g_signal_emit (doc, signals[DEVICE], 0);
  run_start (doc);
}

const char *
document_device_key (const Document *doc)
{
  return doc->device_key;
}

void
document_saved (Document *doc, const char *steps, const char *verb, const char *path)
{
  g_free (doc->saved);
  doc->saved = g_strdup (steps);
  g_signal_emit (doc, signals[SAVED], 0, verb, path);
}

gboolean
document_unsaved (const Document *doc)
{
  return *document_text (doc) && g_strcmp0 (document_text (doc), doc->saved);
}

/* ---- Looking ---- */

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

const Pipeline *
document_steps (const Document *doc)
{
  return doc->steps;
}

const char *
document_text (const Document *doc)
{
  return doc->history->pdata[doc->now];
}

gboolean
document_busy (const Document *doc)
{
  return doc->runs > 0;
}

const Pipeline *
document_results (const Document *doc)
{
  return doc->results;
}

const Device *
document_device (const Document *doc)
{
  return doc->device;
}

const GError *
document_error (const Document *doc, guint *place)
{
  *place = 0;
  while (*place < pipeline_length (doc->results)
         && (pipeline_step (doc->results, *place)->done || pipeline_step (doc->results, *place)->skipped))
    ++*place;
  return doc->error;
}

Image *
document_image (const Document *doc, int place)
{
  for (int i = MIN (place, (int) pipeline_length (doc->results) - 1); i >= 0; i--) {
    const Step *step = pipeline_step (doc->results, (guint) i);
    if (step->done && step->result.n_images)
      return step->result.images[0];
  }
  return doc->source;
}

/* ---- The object ---- */

static void
document_finalize (GObject *object)
{
  Document *doc = FOVEA_DOCUMENT (object);
  g_thread_pool_free (doc->waste, FALSE, TRUE);
  pipeline_free (doc->steps);
  pipeline_free (doc->results);
  g_ptr_array_unref (doc->history);
  g_clear_error (&doc->error);
  g_free (doc->merge);
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
  signals[SAVED] = g_signal_new ("saved", DOCUMENT_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                 G_TYPE_STRING, G_TYPE_STRING);
}

static void
document_init (Document *doc)
{
  doc->history = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (doc->history, g_strdup (""));
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
  doc->steps = pipeline_new ();
  doc->results = pipeline_new ();
  return doc;
}
