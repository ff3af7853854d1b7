/* SPDX-License-Identifier: MIT
 */
#include "ui/macro/steps.h"

#include "ui/macro/consent.h"

#include "core/base/error.h"
#include "core/macro/values.h"
#include "core/run/choice.h"
#include "core/run/execute.h"

#include <string.h>

/* ---- Steps ---- */

static void
in_recipe (gpointer data)
{
  MacroAsk *a = data;
  Document *document = macro_ask_document (a);
  a->out = document ? recipe_ref (document_recipe (document)) : recipe_new ();
}

static Recipe *
host_recipe (gpointer self, guint image)
{
  return macro_ask (self, in_recipe, image, NULL);
}

static void
in_set_recipe (gpointer data)
{
  MacroAsk *a = data;
  a->out = macro_ask_document (a);
  if (a->out)
    document_set_recipe (a->out, a->in);
}

static gboolean
host_set_recipe (gpointer self, guint image, const Recipe *recipe, GError **error)
{
  if (!macro_consent_get (self, recipe, error))
    return FALSE;
  return macro_ask (self, in_set_recipe, image, recipe) ? TRUE : macro_ask_closed (error);
}

static void
in_set_device (gpointer data)
{
  const MacroAsk *a = data;
  if (a->stage->shell)
    shell_set_device (a->stage->shell, a->in);
}

static gboolean
host_set_device (gpointer self, const char *key, GError **error)
{
  const MacroStage *s = self;
  if (strcmp (key, "auto") && !modules_device (s->modules, key, error))
    return FALSE;
  macro_ask (self, in_set_device, 0, key);
  return TRUE;
}

/* ---- Results ---- */

static void
end_waiting (gpointer data)
{
  MacroStage *s = ((MacroAsk *) data)->stage;
  g_clear_signal_handler (&s->handler, s->awaited);
  g_clear_object (&s->awaited);
  relay_answer (s->relay);
}

static void
on_busy (Document *document, gpointer data)
{
  if (!document_busy (document))
    end_waiting (data);
}

/* What is waited for is not wanted any more either. */
static void
stop_waiting (gpointer data)
{
  worker_cancel (((MacroAsk *) data)->stage->worker);
  end_waiting (data);
}

static void
in_wait (gpointer data)
{
  MacroAsk *a = data;
  Document *document = macro_ask_document (a);
  if (!document || !document_busy (document)) {
    relay_answer (a->stage->relay);
    return;
  }
  a->stage->awaited = g_object_ref (document);
  a->stage->handler = g_signal_connect (document, "busy", G_CALLBACK (on_busy), a);
}

const Run *
macro_steps_run (MacroAsk *a)
{
  Document *document = macro_ask_document (a);
  guint index;
  const GError *error = document ? document_error (document, &index) : NULL;
  if (error)
    a->error = g_error_copy (error);
  else if (!document)
    macro_ask_closed (&a->error);
  return a->error ? NULL : document_run (document);
}

static void
in_image (gpointer data)
{
  MacroAsk *a = data;
  const Run *run = macro_steps_run (a);
  Image *image = run ? results_image (run, a->in, &a->error) : NULL;
  a->out = image ? image_ref (image) : NULL;
}

static void
in_table (gpointer data)
{
  MacroAsk *a = data;
  const Run *run = macro_steps_run (a);
  Table *table = !run ? NULL : a->in ? results_table (run, a->in, &a->error) : run_last_table (run);
  a->out = table ? table_ref (table) : NULL;
}

/* It exists regardless of the steps. */
static void
in_source (gpointer data)
{
  MacroAsk *a = data;
  Document *document = macro_ask_document (a);
  a->out = document ? image_ref (document_source (document)) : NULL;
}

gpointer
macro_steps_results (gpointer self, void (*work) (gpointer ask), guint image, gconstpointer in, GError **error)
{
  MacroStage *s = self;
  MacroAsk a = {.stage = s, .image = image, .in = in};
  if (!relay_wait (s->relay, in_wait, stop_waiting, &a, error))
    return NULL;
  relay_call (s->relay, work, &a);
  if (a.error)
    g_propagate_error (error, a.error);
  return a.out;
}

static Image *
host_image (gpointer self, guint image, const char *name, GError **error)
{
  if (g_strcmp0 (name, RECIPE_SOURCE))
    return macro_steps_results (self, in_image, image, name, error);
  Image *source = macro_ask (self, in_source, image, NULL);
  if (!source)
    macro_ask_closed (error);
  return source;
}

static Table *
host_table (gpointer self, guint image, const char *name, GError **error)
{
  return macro_steps_results (self, in_table, image, name, error);
}

/* ---- On the worker ---- */

typedef struct {
  MacroStage *stage;
  Run *run;     /* to be computed, or */
  Image *image; /* to be brought to the host */
  char *device_key;
  GError *error;
} Work;

static gboolean
work (gpointer data, Progress *progress, GError **error)
{
  const Work *w = data;
  g_autofree char *reason = NULL;
  if (w->image)
    return image_on_host (w->image, progress, error) != NULL;
  Device *device = choice_device (w->run, w->stage->modules, w->device_key, &reason, error);
  return device && run_execute (w->run, device, progress, error);
}

static void
work_finished (gpointer data, const GError *error)
{
  Work *w = data;
  w->error = error ? g_error_copy (error) : NULL;
  relay_answer (w->stage->relay);
}

static void
in_work (gpointer data)
{
  Work *w = data;
  Page *front = w->stage->shell ? shell_page (w->stage->shell) : NULL;
  w->device_key = g_strdup (front ? document_device_key (view_document (page_view (front))) : "auto");
  worker_push (w->stage->worker, &(WorkerJob){work, work_finished, w, NULL});
}

static void
stop_work (gpointer data)
{
  worker_cancel (((Work *) data)->stage->worker);
}

static gboolean
do_work (Work *w, GError **error)
{
  gboolean done = relay_wait (w->stage->relay, in_work, stop_work, w, error);
  if (done && w->error)
    g_propagate_error (error, g_steal_pointer (&w->error));
  g_clear_error (&w->error);
  g_free (w->device_key);
  return done && !(error && *error);
}

static gboolean
host_execute (gpointer self, Run *run, GError **error)
{
  return macro_consent_get (self, run_recipe (run), error) && do_work (&(Work){.stage = self, .run = run}, error);
}

gboolean
macro_steps_fetch (gpointer self, Image *image, GError **error)
{
  return !image_device (image) || do_work (&(Work){.stage = self, .image = image}, error);
}

typedef struct {
  const char *verb, *path, *options;
} Saved;

static void
in_saved (gpointer data)
{
  const MacroAsk *a = data;
  const Saved *saved = a->in;
  Document *document = macro_ask_document (a);
  if (document)
    document_saved (document, strcmp (saved->verb, "export-measured") ? document_text (document) : NULL, saved->verb,
                    saved->path, saved->options);
}

static void
host_saved (gpointer self, guint image, const char *verb, const char *path, const char *options)
{
  macro_ask (self, in_saved, image, &(Saved){verb, path, options});
}

void
macro_steps_add (MacroHost *host)
{
  host->recipe = host_recipe;
  host->set_recipe = host_set_recipe;
  host->image = host_image;
  host->table = host_table;
  host->set_device = host_set_device;
  host->execute = host_execute;
  host->saved = host_saved;
  host->fetch = macro_steps_fetch;
}
