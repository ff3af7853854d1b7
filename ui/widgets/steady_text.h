/* SPDX-License-Identifier: MIT
 *
 * A line of text that changes often: other text moves nothing beside it, and lets nobody measure the window anew. It has the room
 * of its longest text so far.
 */
#ifndef UI_STEADY_TEXT_H
#define UI_STEADY_TEXT_H

#include <gtk/gtk.h>

/* whole: it needs that room; else it would like it, and its end may be cut off. */
GtkInscription *steady_text_new (gboolean whole);
void steady_text_set (GtkInscription *line, const char *text);
/* Where there is no room for all of the text, that is its tooltip. */
void steady_text_tell_all (GtkInscription *line);

#endif
