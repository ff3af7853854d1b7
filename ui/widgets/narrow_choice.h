/* SPDX-License-Identifier: MIT
 *
 * A choice of texts that widens no panel: what has no room in its button is cut there, and is its tooltip.
 */
#ifndef UI_WIDGETS_NARROW_CHOICE_H
#define UI_WIDGETS_NARROW_CHOICE_H

#include <gtk/gtk.h>

/* A GtkDropDown of a GtkStringList, which it takes over; NULL: of none yet. */
GtkWidget *narrow_choice_new (GtkStringList *texts);
/* Text after each entry of the list, ends with NULL. */
void narrow_choice_set_notes (GtkWidget *choice, const char *const *notes);
/* The GtkToggleButton that is active while the list is down. */
GtkWidget *narrow_choice_button (GtkWidget *choice);

#endif
