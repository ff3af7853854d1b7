/* SPDX-License-Identifier: MIT
 */
#include "ui/several/live_step.h"

struct _LiveStep {
  GObject parent;
  Shell *shell;
  Document *document;    /* NULL: it is in none */
  Recipe *before, *made; /* the document's steps; made: with it, NULL: it is not there */
  guint at;              /* its index in these */
  int was;               /* looked at before */
  char *settings;        /* of the channels, before */
  char *gesture;         /* see document_set_steps() */
  gboolean setting;      /* the change of the steps is our own */
};

G_DEFINE_FINAL_TYPE (LiveStep, live_step, G_TYPE_OBJECT)

enum { LEFT, RESULTS, SIGNALS };
static guint signals[SIGNALS];

static View *
view_of (const LiveStep *live)
{
  Page *page = shell_page_of (live->shell, live->document);
  return page ? page_view (page) : NULL;
}

static void
leave (LiveStep *live)
{
  if (live->document)
    g_signal_handlers_disconnect_by_data (live->document, live);
  g_clear_object (&live->document);
  g_clear_pointer (&live->before, recipe_unref);
  g_clear_pointer (&live->made, recipe_unref);
  g_clear_pointer (&live->settings, g_free);
}

static void
on_steps (LiveStep *live)
{
  if (live->setting)
    return;
  leave (live);
  g_signal_emit (live, signals[LEFT], 0);
}

static void
on_closed (LiveStep *live, Document *document)
{
  if (document == live->document)
    on_steps (live);
}

static void
on_results (LiveStep *live)
{
  g_signal_emit (live, signals[RESULTS], 0);
}

static void
begin (LiveStep *live, Document *document)
{
  live->document = g_object_ref (document);
  live->before = recipe_ref (document_recipe (document));
  live->was = view_index (view_of (live));
  live->settings = view_display_settings (view_of (live));
  g_signal_connect_object (document, "steps", G_CALLBACK (on_steps), live, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "results", G_CALLBACK (on_results), live, G_CONNECT_SWAPPED);
}

gboolean
live_step_set (LiveStep *live, Document *document, const Step *step, const OtherImage *others, guint n, GError **error)
{
  if (document != live->document) {
    live_step_take_back (live);
    begin (live, document);
  }
  Recipe *made = several_with_step (live->before, (guint) (live->was + 1), step, others, n, &live->at, error);
  if (!made)
    return FALSE;
  recipe_unref (live->made);
  live->made = made;
  live->setting = TRUE;
  document_set_recipe_merged (document, made, live->gesture);
  live->setting = FALSE;
  shell_bring (live->shell, shell_page_of (live->shell, document));
  view_set_index (view_of (live), (int) live->at);
  return TRUE;
}

const Step *
live_step_now (const LiveStep *live)
{
  return live->made ? recipe_step (live->made, live->at) : NULL;
}

Document *
live_step_document (const LiveStep *live)
{
  return live->document;
}

const GError *
live_step_fault (const LiveStep *live)
{
  guint index;
  return live->made ? document_error (live->document, &index) : NULL;
}

void
live_step_take_back (LiveStep *live)
{
  View *view = live->made ? view_of (live) : NULL;
  if (view) {
    live->setting = TRUE;
    document_undo (live->document);
    live->setting = FALSE;
    view_set_index (view, live->was);
    view_set_display_settings (view, live->settings);
  }
  leave (live);
}

/* ---- The object ---- */

static void
live_step_dispose (GObject *object)
{
  leave (FOVEA_LIVE_STEP (object));
  G_OBJECT_CLASS (live_step_parent_class)->dispose (object);
}

static void
live_step_finalize (GObject *object)
{
  g_free (FOVEA_LIVE_STEP (object)->gesture);
  G_OBJECT_CLASS (live_step_parent_class)->finalize (object);
}

static void
live_step_class_init (LiveStepClass *class)
{
  G_OBJECT_CLASS (class)->dispose = live_step_dispose;
  G_OBJECT_CLASS (class)->finalize = live_step_finalize;
  signals[LEFT] = g_signal_new ("left", LIVE_STEP_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[RESULTS] = g_signal_new ("results", LIVE_STEP_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
live_step_init (LiveStep *live)
{
  static guint made;
  live->gesture = g_strdup_printf ("several images %u", made++);
}

LiveStep *
live_step_new (Shell *shell)
{
  LiveStep *live = g_object_new (LIVE_STEP_TYPE, NULL);
  live->shell = shell;
  g_signal_connect_object (shell, "closed", G_CALLBACK (on_closed), live, G_CONNECT_SWAPPED);
  return live;
}
