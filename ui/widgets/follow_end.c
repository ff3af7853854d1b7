/* SPDX-License-Identifier: MIT
 *
 * By a mark, to which GTK scrolls once it knows how high the lines are. Before it knows how high the view is, it would scroll too far,
 * and stay there.
 */
#include "ui/widgets/follow_end.h"

#define END "end"

static void
show_end (GtkTextView *view)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (view));
  if (gtk_adjustment_get_page_size (adjustment) > 1)
    gtk_text_view_scroll_mark_onscreen (view, gtk_text_buffer_get_mark (gtk_text_view_get_buffer (view), END));
}

void
follow_end (GtkTextView *view)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  GtkTextIter end;
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_create_mark (buffer, END, &end, FALSE);
  g_signal_connect_object (buffer, "changed", G_CALLBACK (show_end), view, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (view)), "notify::page-size",
                           G_CALLBACK (show_end), view, G_CONNECT_SWAPPED);
}
