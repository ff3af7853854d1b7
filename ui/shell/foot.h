/* SPDX-License-Identifier: MIT
 *
 * The area below or beside the image for tables and plots, one at a time, with tabs below, as in a spreadsheet. The
 * tab bar does not move when the area is folded.
 */
#ifndef UI_SHELL_FOOT_H
#define UI_SHELL_FOOT_H

#include <gtk/gtk.h>

#define FOOT_TYPE (foot_get_type ())
G_DECLARE_FINAL_TYPE (Foot, foot, FOVEA, FOOT, GtkBox)

/* main: what it is below or beside, which it takes. */
GtkWidget *foot_new (GtkWidget *main);
/* Takes both. The title is that of its tab, and is not copied. */
void foot_add (Foot *foot, const char *title, GtkWidget *body, GtkWidget *bar);
/* Whether there is something to see of one that was added; at first there is not. */
void foot_set_there (Foot *foot, GtkWidget *body, gboolean there);
/* Brings it to the front; if `unfold`, also unfolds the area. */
void foot_bring (Foot *foot, GtkWidget *body, gboolean unfold);
/* Whether all of it is put away, with its bar. */
void foot_set_away (Foot *foot, gboolean away);
/* Where the focus can be: what is in front and, below it, the bar. */
GtkWidget *foot_body (Foot *foot);
GtkWidget *foot_bar (Foot *foot);

#endif
