/* SPDX-License-Identifier: MIT
 */
#include "ui/results/objects.h"

#include "core/measure/object_table.h"
#include "ui/results/fade.h"

struct _ResultsObjects {
  GObject parent;
  View *view;
  ResultsModel *model;
  GtkWidget *list;
  gboolean picking; /* the object is picked here, where it can be seen */
  gint64 slice;     /* to which the objects that fade belong */
  gboolean fading;  /* some objects fade, by our filter */
};

G_DEFINE_FINAL_TYPE (ResultsObjects, results_objects, G_TYPE_OBJECT)

/* Of the object that is picked, in the slice and the frame that are seen. */
static gint64
row_of_object (const ResultsObjects *self)
{
  const Table *table = results_model_table (self->model);
  const View *view = self->view;
  return table ? object_table_row (table, view_object (view), view_slice (view), view_frame (view)) : -1;
}

static void
scroll_to (ResultsObjects *self, guint position)
{
  for (GtkWidget *child = gtk_widget_get_first_child (self->list); child; child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_LIST_VIEW (child))
      gtk_widget_activate_action (child, "list.scroll-to-item", "u", position);
}

static void
on_object (ResultsObjects *self)
{
  gint64 row;
  guint position;
  if (self->picking)
    return;
  row = row_of_object (self);
  results_model_select_row (self->model, row);
  position = row < 0 ? GTK_INVALID_LIST_POSITION : results_model_position (self->model, row);
  if (position != GTK_INVALID_LIST_POSITION)
    scroll_to (self, position);
}

static void
on_picked (ResultsObjects *self)
{
  const Table *table = results_model_table (self->model);
  const TableColumn *labels = table ? table_find_numbers (table, "label") : NULL;
  gint64 row = results_model_selected (self->model);
  if (!labels || row < -1)
    return;
  self->picking = TRUE;
  if (row >= 0) {
    gint64 slice = object_table_slice (table, row), frame = object_table_frame (table, row);
    view_set_position (self->view, view_channel (self->view), slice < 0 ? view_slice (self->view) : slice,
                       frame < 0 ? view_frame (self->view) : frame);
  }
  if (row < 0 || (int) labels->values[row] != view_object (self->view)) /* with others that are chosen, too */
    view_set_object (self->view, row < 0 ? 0 : (int) labels->values[row]);
  self->picking = FALSE;
}

static void
fade (ResultsObjects *self)
{
  gboolean fading = results_fade (self->model, self->view);
  if (self->fading && !fading)
    view_set_kept (self->view, NULL, NULL);
  self->fading = fading;
  self->slice = view_slice (self->view);
}

static void
on_look (ResultsObjects *self)
{
  if (self->fading && self->slice != view_slice (self->view))
    fade (self);
}

static void
on_changed (ResultsObjects *self)
{
  fade (self);
  if (results_model_selected (self->model) == -1 && view_object (self->view))
    results_model_select_row (self->model, row_of_object (self));
}

static void
results_objects_class_init (ResultsObjectsClass *class)
{
  (void) class;
}

static void
results_objects_init (ResultsObjects *self)
{
  (void) self;
}

ResultsObjects *
results_objects_new (View *view, ResultsModel *model, GtkColumnView *list)
{
  ResultsObjects *self = g_object_new (RESULTS_OBJECTS_TYPE, NULL);
  self->view = view;
  self->model = model;
  self->list = GTK_WIDGET (list);
  g_signal_connect_object (model, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (model, "picked", G_CALLBACK (on_picked), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "object", G_CALLBACK (on_object), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "look", G_CALLBACK (on_look), self, G_CONNECT_SWAPPED);
  return self;
}
