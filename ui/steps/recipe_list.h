/* SPDX-License-Identifier: MIT
 *
 * Where there are no steps yet: what one can begin with.
 */
#ifndef UI_STEPS_RECIPE_LIST_H
#define UI_STEPS_RECIPE_LIST_H

#include <gtk/gtk.h>

/* A button for each recipe, which activates win.recipe. */
GtkWidget *recipe_list_new (void);

#endif
