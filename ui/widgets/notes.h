/* SPDX-License-Identifier: MIT
 *
 * One sentence that floats over the images: what was done, what to know, what went wrong. Each belongs to something, such as a tab,
 * and is seen while that is in front. Icon, color and a word say what kind it is. What was done and what is only to be known goes by
 * itself.
 */
#ifndef UI_WIDGETS_NOTES_H
#define UI_WIDGETS_NOTES_H

#include <gtk/gtk.h>

#define NOTES_TYPE (notes_get_type ())
G_DECLARE_FINAL_TYPE (Notes, notes, FOVEA, NOTES, GtkBox)

GtkWidget *notes_new (void);
/* A note about the owner, until it is closed or replaced. type: GTK_MESSAGE_OTHER for completed actions. */
void notes_say (Notes *notes, GObject *owner, GtkMessageType type, const char *text);
/* From now on the notes about this are seen. */
void notes_set_front (Notes *notes, GObject *owner);
/* The state has moved on: a note that is not a warning or an error is removed. */
void notes_move_on (Notes *notes, GObject *owner);

#endif
