/* SPDX-License-Identifier: MIT
 *
 * A window beside the main one, which stays usable: Escape and Ctrl+W close it, and it goes with its parent. And what such
 * windows are made of.
 */
#ifndef UI_WIDGETS_SIDE_WINDOW_H
#define UI_WIDGETS_SIDE_WINDOW_H

#include <gtk/gtk.h>

/* Shows the window of that key that belongs to the parent, where its box is emptied, or a new one; to be filled by the caller.
 * Height 0: as high as what it shows. */
GtkBox *side_window_show (GtkWindow *parent, const char *key, const char *title, int width, int height);
/* The window of that key when there is one, shown or not; else NULL. */
GtkWindow *side_window_find (GtkWindow *parent, const char *key);
/* The window that has the box, or what is in it. */
GtkWindow *side_window_of (gpointer widget);

/* Text to read and to select. */
GtkWidget *side_window_text (const char *text);
/* "name  value" as row y of a grid; takes the value. */
void side_window_line (GtkGrid *grid, int y, const char *name, GtkWidget *value);
/* A row of buttons at the right end. */
GtkWidget *side_window_buttons (void);

#endif
