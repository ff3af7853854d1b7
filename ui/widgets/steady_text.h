/* SPDX-License-Identifier: MIT
 *
 * A line of text that changes often without moving anything beside it or measuring the window. It reserves the width
 * of its longest text so far.
 */
#ifndef UI_STEADY_TEXT_H
#define UI_STEADY_TEXT_H

#include <gtk/gtk.h>

/* whole: it needs that room; else it would like it, and its end may be cut off. */
GtkInscription *steady_text_new (gboolean whole);
void steady_text_set (GtkInscription *line, const char *text);
/* Text that does not fit becomes the tooltip. */
void steady_text_tell_all (GtkInscription *line);

#endif
