/* SPDX-License-Identifier: MIT
 *
 * The focus brings what it moves to into view.
 */
#include "ui/widgets/scrolled_row.h"

static GtkWidget *
make_scroller (GtkWidget *child, GtkPolicyType across, GtkPolicyType down)
{
  GtkWidget *scroller = gtk_scrolled_window_new (), *viewport = gtk_viewport_new (NULL, NULL);
  gtk_viewport_set_scroll_to_focus (GTK_VIEWPORT (viewport), TRUE);
  gtk_viewport_set_child (GTK_VIEWPORT (viewport), child);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), across, down);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), viewport);
  gtk_widget_set_focusable (scroller, FALSE);
  return scroller;
}

GtkWidget *
scrolled_row_new (GtkWidget *row)
{
  return make_scroller (row, GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
}

GtkWidget *
scrolled_column_new (GtkWidget *column)
{
  return make_scroller (column, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
}
