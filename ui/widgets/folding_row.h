/* SPDX-License-Identifier: MIT
 *
 * A bar with a title and buttons, all of which can be reached at any width. If their texts do not fit the buttons show their icons, and if even these
 * do not fit next to the title, they are below it.
 */
#ifndef UI_WIDGETS_FOLDING_ROW_H
#define UI_WIDGETS_FOLDING_ROW_H

#include <gtk/gtk.h>

/* A box to be filled: first the title, which gets what is left, then the buttons. The last one, the most important, keeps its text as
 * long as there is room for it. */
GtkWidget *folding_row_new (void);
/* Makes a button one of the row: it shows its label, which has a mnemonic, or its icon. */
void folding_row_dress (GtkWidget *button, const char *icon, const char *label, const char *help);

#endif
