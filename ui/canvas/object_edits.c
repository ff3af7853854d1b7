/* SPDX-License-Identifier: MIT
 */
#include "ui/canvas/object_edits.h"

#include "core/base/error.h"
#include "core/recipe/edits.h"
#include "core/run/missed.h"
#include "ui/canvas/object_positions.h"

#include <glib/gi18n.h>
#include <string.h>

struct _ObjectEdits {
  GObject parent;
  View *view;
  Worker *worker;
  Recipe *awaited; /* the steps with the last deed, of which there are no results yet; or NULL */
  guint index;     /* of its step */
  gint64 missed;   /* how many commands of it were in vain before */
};

G_DEFINE_FINAL_TYPE (ObjectEdits, object_edits, G_TYPE_OBJECT)

enum { FAILED, SIGNALS };
static guint signals[SIGNALS];

static void
fail (ObjectEdits *self, const char *text)
{
  g_signal_emit (self, signals[FAILED], 0, text);
}

/* ---- The step that has made the objects ---- */

static char *
lack_of_objects (void)
{
  return g_strdup (_ ("There are no objects yet: Analyze ▸ Label Objects finds those of a mask, Measure "
                      "Objects accepts a label image."));
}

/* Where it is, -1 for the opened image; or why it cannot be edited. */
static char *
find_step (const ObjectEdits *self, int *index)
{
  const Run *run = document_run (view_document (self->view));
  const Recipe *now = document_recipe (view_document (self->view));
  const Image *objects = view_objects (self->view);
  *index = -1;
  if (!objects || image_info (objects)->role == FV_MASK)
    return lack_of_objects ();
  if (objects == run_source (run))
    return NULL;
  for (guint i = 0; i < run_length (run); i++)
    for (guint k = 0; k < run_result (run, i)->step->op->n_outputs; k++) {
      const Op *op = run_result (run, i)->step->op;
      if (run_image (run, i, k) != objects)
        continue;
      if (i >= recipe_length (now) || recipe_step (now, i)->op != op)
        return g_strdup (_ ("The steps have just changed: comparing again when they are done."));
      if (k || run_result (run, i)->result.table)
        return g_strdup_printf (
          _ ("The step %s finds and measures objects at once. Add Analyze ▸ Measure Objects below it; "
             "you can edit its objects."),
          op->fv.key);
      *index = (int) i;
      return NULL;
    }
  return lack_of_objects ();
}

char *
object_edits_lack (const ObjectEdits *self)
{
  int index;
  return find_step (self, &index);
}

/* ---- A deed ---- */

/* Who has looked at the objects sees what becomes of them; else the same step is looked at, wherever it is now. */
static void
show (View *view, const Recipe *recipe, int labels, guint index)
{
  const int seen = view_index (view);
  const guint before = recipe_length (document_recipe (view_document (view)));
  const int shift = seen > labels ? (int) (recipe_length (recipe) - before) : 0;
  document_set_recipe (view_document (view), recipe);
  view_set_index (view, seen == labels ? (int) index : seen + shift);
}

static void
add (ObjectEdits *self, const char *verb, const char *positions)
{
  Document *document = view_document (self->view);
  g_autofree char *command = g_strconcat (verb, " ", positions, NULL);
  g_autoptr (GError) error = NULL;
  int labels;
  g_autofree char *lack = find_step (self, &labels);
  g_autoptr (Recipe) recipe = NULL;
  guint index;
  if (lack) {
    fail (self, lack);
    return;
  }
  if (!(recipe =
          edits_add (document_recipe (document), document_modules (document), labels, command, &index, &error))) {
    fail (self, error->message);
    return;
  }
  const gboolean lags = document_lags (document);
  g_clear_pointer (&self->awaited, recipe_unref);
  self->index = index;
  self->missed = missed_at (document_run (document), index);
  show (self->view, recipe, labels, index);
  if (!lags)
    self->awaited = recipe_ref ((Recipe *) document_recipe (document));
}

/* One that has changed nothing is taken back. */
static void
on_results (ObjectEdits *self)
{
  Document *document = view_document (self->view);
  g_autoptr (Recipe) awaited = NULL;
  if (!self->awaited || document_lags (document))
    return;
  awaited = g_steal_pointer (&self->awaited);
  if (document_recipe (document) != awaited || missed_at (document_run (document), self->index) <= self->missed)
    return;
  document_undo (document);
  fail (self, _ ("Nothing was changed: a line must cross an object from edge to edge, and a drawing must "
                 "touch the image."));
}

void
object_edits_at (ObjectEdits *self, const char *verb, const char *positions)
{
  add (self, verb, positions);
}

/* ---- Those that are picked ---- */

typedef struct {
  ObjectEdits *edits;
  const char *verb;
} Deed;

static void
found (gpointer data, const char *positions, guint n, const GError *error)
{
  Deed *deed = data;
  ObjectEdits *self = deed->edits;
  const gboolean merge = !strcmp (deed->verb, "merge");
  if (error && !step_error_is_cancelled (error))
    fail (self, error->message);
  else if (!error && n < (merge ? 2 : 1))
    fail (self, merge ? _ ("Select at least two objects of this slice to merge.")
                      : _ ("Select an object of this slice first."));
  else if (!error) {
    add (self, deed->verb, positions);
    if (strcmp (deed->verb, "fill"))
      view_set_object (self->view, merge ? view_object (self->view) : 0);
  }
  g_object_unref (self);
  g_free (deed);
}

void
object_edits_picked (ObjectEdits *self, const char *verb)
{
  g_autofree char *lack = object_edits_lack (self);
  Deed *deed;
  if (lack) {
    fail (self, lack);
    return;
  }
  deed = g_new (Deed, 1);
  *deed = (Deed){g_object_ref (self), verb};
  object_positions_find (self->view, self->worker, found, deed);
}

/* ---- The object ---- */

static void
object_edits_finalize (GObject *object)
{
  ObjectEdits *self = FOVEA_OBJECT_EDITS (object);
  g_clear_pointer (&self->awaited, recipe_unref);
  g_object_unref (self->view);
  G_OBJECT_CLASS (object_edits_parent_class)->finalize (object);
}

static void
object_edits_class_init (ObjectEditsClass *class)
{
  G_OBJECT_CLASS (class)->finalize = object_edits_finalize;
  signals[FAILED] =
    g_signal_new ("failed", OBJECT_EDITS_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
object_edits_init (ObjectEdits *self)
{
  (void) self;
}

ObjectEdits *
object_edits_new (View *view, Worker *worker)
{
  ObjectEdits *self = g_object_new (OBJECT_EDITS_TYPE, NULL);
  self->view = g_object_ref (view);
  self->worker = worker;
  g_signal_connect_object (view_document (view), "results", G_CALLBACK (on_results), self, G_CONNECT_SWAPPED);
  return self;
}
