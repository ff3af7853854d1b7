/* SPDX-License-Identifier: MIT
 *
 * A word at the top of the image that says what is seen.
 */
#ifndef UI_CANVAS_CANVAS_WORD_H
#define UI_CANVAS_CANVAS_WORD_H

#include <gtk/gtk.h>

/* align: 0: it begins at x; 1: it ends there. */
void canvas_word_draw (GtkWidget *canvas, GtkSnapshot *snapshot, const char *word, double x, double align);

#endif
