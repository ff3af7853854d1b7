/* SPDX-License-Identifier: MIT
 *
 * Rows of a list that the mouse drags to another index; a finger scrolls. A line shows the target. Dropped
 * elsewhere, a row stays.
 */
#ifndef UI_WIDGETS_ROW_DRAG_H
#define UI_WIDGETS_ROW_DRAG_H

#include <gtk/gtk.h>

/* A row that was the one with the index `from` is to be the one with the index `to`. */
typedef void (*RowMoved) (gpointer data, int from, int to);

/* The class of widgets in rows that do not start a drag, such as buttons. */
#define ROW_DRAG_NO_HANDLE "no-handle"
/* Whether a row is taken by what the pointer is over. */
gboolean row_drag_is_handle (GtkWidget *under);

/* Rows before `first` stay where they are. data must live as long as the list. */
void row_drag_add (GtkListBox *list, int first, RowMoved moved, gpointer data);

#endif
