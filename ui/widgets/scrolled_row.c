/* SPDX-License-Identifier: MIT
 *
 * The focus brings what it moves to into view.
 */
#include "ui/widgets/scrolled_row.h"

GtkWidget *
scrolled_row_new (GtkWidget *row)
{
  GtkWidget *scroller = gtk_scrolled_window_new (), *viewport = gtk_viewport_new (NULL, NULL);
  gtk_viewport_set_scroll_to_focus (GTK_VIEWPORT (viewport), TRUE);
  gtk_viewport_set_child (GTK_VIEWPORT (viewport), row);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), viewport);
  gtk_widget_set_focusable (scroller, FALSE);
  return scroller;
}
