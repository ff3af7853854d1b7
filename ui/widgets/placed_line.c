/* SPDX-License-Identifier: MIT
 *
 * GTK lays out when there is nothing else to do; then the panes have what they need, and the line is placed.
 */
#include "ui/widgets/placed_line.h"

typedef struct {
  PlacedLine place;
  gpointer data;
  int placed;       /* where the line was put; 0: not yet */
  gboolean dragged; /* by the user */
} Line;

static Line *
line_of (GtkPaned *paned)
{
  return g_object_get_data (G_OBJECT (paned), "placed-line");
}

static gboolean
on_idle (gpointer paned)
{
  Line *line = line_of (paned);
  int height = gtk_widget_get_height (paned);
  if (gtk_widget_get_root (paned) && !line->dragged && height > 0) {
    line->placed = line->place (line->data, height);
    gtk_paned_set_position (paned, line->placed);
  }
  g_object_unref (paned);
  return G_SOURCE_REMOVE;
}

void
placed_line_again (GtkPaned *paned)
{
  g_idle_add (on_idle, g_object_ref (paned));
}

/* A paned that gets smaller moves the line, too: to its end. */
static void
on_position (GtkPaned *paned)
{
  Line *line = line_of (paned);
  int position = gtk_paned_get_position (paned), end;
  g_object_get (paned, "max-position", &end, NULL);
  if (line->placed && position != line->placed && position < end)
    line->dragged = TRUE;
}

void
placed_line_watch (GtkPaned *paned, PlacedLine place, gpointer data)
{
  Line *line = g_new0 (Line, 1);
  line->place = place;
  line->data = data;
  g_object_set_data_full (G_OBJECT (paned), "placed-line", line, g_free);
  g_signal_connect (paned, "notify::position", G_CALLBACK (on_position), NULL);
  g_signal_connect (paned, "notify::max-position", G_CALLBACK (placed_line_again), NULL);
  placed_line_again (paned);
}
