/* SPDX-License-Identifier: MIT
 *
 * What GTK's theme does not know of this program, and where it is too pale.
 */
#ifndef UI_WIDGETS_STYLE_H
#define UI_WIDGETS_STYLE_H

#include <gtk/gtk.h>

/* For all windows. */
void style_add (void);
/* Shows old results paler while new ones are pending. It is not a style class, since GTK would restyle the whole
 * table, which takes longer than a frame. */
void style_set_provisional (GtkWidget *widget, gboolean provisional);

#endif
