/* SPDX-License-Identifier: MIT
 *
 * A place below or beside the image, as the user wishes, for tables and plots, one at a time, with the bar of the one in front below both, as
 * sheets have their tabs. The bar stays where it is when the place is folded.
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
/* It comes to the front; unfolded, when the place was folded and `unfold`. */
void foot_bring (Foot *foot, GtkWidget *body, gboolean unfold);
/* Whether all of it is put away, with its bar. */
void foot_set_away (Foot *foot, gboolean away);
/* Where the focus can be: what is in front and, below it, the bar. */
GtkWidget *foot_body (Foot *foot);
GtkWidget *foot_bar (Foot *foot);

#endif
