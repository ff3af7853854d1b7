/* SPDX-License-Identifier: MIT
 */
#include "ui/widgets/row_drag.h"

#include <math.h>

enum {
  NEAR = 32, /* pixels around the list */
  HALF = 16  /* of the line of a row, below which there can be more */
};

typedef struct RowDrag {
  GtkListBox *list;
  int first, from, to; /* from: -1 while nothing is dragged */
  RowMoved moved;
  gpointer data;
} RowDrag;

static GtkWidget *
row_at (const RowDrag *d, int i)
{
  return GTK_WIDGET (gtk_list_box_get_row_at_index (d->list, i));
}

static void
unmark (const RowDrag *d)
{
  GtkWidget *row;
  for (int i = 0; (row = row_at (d, i)); i++) {
    gtk_widget_remove_css_class (row, "dragged");
    gtk_widget_remove_css_class (row, "gap-above");
    gtk_widget_remove_css_class (row, "gap-below");
  }
}

/* Where the row would be when it is dropped at that height: the others close the gap that it leaves. */
static int
index_at (const RowDrag *d, double y)
{
  GtkListBoxRow *row;
  graphene_rect_t box;
  int to = d->first;
  for (int i = d->first; (row = gtk_list_box_get_row_at_index (d->list, i)); i++)
    if (i != d->from && gtk_widget_compute_bounds (GTK_WIDGET (row), GTK_WIDGET (d->list), &box)
        && y > box.origin.y + MIN (box.size.height / 2, HALF))
      to++;
  return to;
}

gboolean
row_drag_is_handle (GtkWidget *under)
{
  for (; under && !GTK_IS_LIST_BOX (under); under = gtk_widget_get_parent (under))
    if (GTK_IS_BUTTON (under) || gtk_widget_has_css_class (under, ROW_DRAG_NO_HANDLE))
      return FALSE;
  return under != NULL;
}

static void
on_begin (RowDrag *d, double x, double y, GtkGesture *drag)
{
  GtkWidget *under = gtk_widget_pick (GTK_WIDGET (d->list), x, y, GTK_PICK_DEFAULT);
  GtkListBoxRow *row = gtk_list_box_get_row_at_y (d->list, (int) y);
  d->from = d->to = -1;
  if (!row || gtk_list_box_row_get_index (row) < d->first || !row_drag_is_handle (under)
      || gtk_gesture_single_get_current_sequence (GTK_GESTURE_SINGLE (drag)))
    gtk_gesture_set_state (drag, GTK_EVENT_SEQUENCE_DENIED);
  else
    d->from = d->to = gtk_list_box_row_get_index (row);
}

/* A drop far from the list moves nothing. */
static gboolean
is_near (const RowDrag *d, double x, double y)
{
  const int width = gtk_widget_get_width (GTK_WIDGET (d->list)), height = gtk_widget_get_height (GTK_WIDGET (d->list));
  return x > -NEAR && x < width + NEAR && y > -NEAR && y < height + NEAR;
}

static void
on_update (RowDrag *d, double dx, double dy, GtkGesture *drag)
{
  double x, y;
  if (d->from < 0 || (d->to == d->from && fabs (dy) < 8))
    return;
  gtk_gesture_set_state (drag, GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_gesture_drag_get_start_point (GTK_GESTURE_DRAG (drag), &x, &y);
  d->to = is_near (d, x + dx, y + dy) ? index_at (d, y + dy) : d->from;
  unmark (d);
  if (!row_at (d, d->from) || !row_at (d, d->to))
    return;
  gtk_widget_add_css_class (row_at (d, d->from), "dragged");
  if (d->to != d->from)
    gtk_widget_add_css_class (row_at (d, d->to), d->to < d->from ? "gap-above" : "gap-below");
}

/* Once more, perhaps, when the list itself goes, and has no rows to be asked for. */
static void
on_cancel (RowDrag *d)
{
  if (gtk_widget_get_root (GTK_WIDGET (d->list)))
    unmark (d);
  d->from = d->to = -1;
}

static void
on_end (RowDrag *d)
{
  const int from = d->from, to = d->to;
  on_cancel (d);
  if (from != to && row_at (d, from) && row_at (d, to))
    d->moved (d->data, from, to);
}

void
row_drag_add (GtkListBox *list, int first, RowMoved moved, gpointer data)
{
  RowDrag *d = g_new (RowDrag, 1);
  GtkGesture *drag = gtk_gesture_drag_new ();
  *d = (RowDrag){list, first, -1, -1, moved, data};
  g_object_set_data_full (G_OBJECT (drag), "row-drag", d, g_free);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_begin), d);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_update), d);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (on_end), d);
  g_signal_connect_swapped (drag, "cancel", G_CALLBACK (on_cancel), d);
  gtk_widget_add_controller (GTK_WIDGET (list), GTK_EVENT_CONTROLLER (drag));
}
