/* SPDX-License-Identifier: MIT
 *
 * What GTK's theme does not know of this program, and where it is too pale.
 */
#ifndef UI_WIDGETS_STYLE_H
#define UI_WIDGETS_STYLE_H

#include <gtk/gtk.h>

/* For all windows. */
void style_add (void);
/* It is of what was before, for as long as results are on their way: paler. No class of styles, since GTK would style all that is in a
 * table anew, which takes longer than a frame. */
void style_set_provisional (GtkWidget *widget, gboolean provisional);

#endif
