/* SPDX-License-Identifier: MIT
 *
 * What the columns of a table are called: as scikit-image calls them, which are their keys in files of steps and on the command
 * line, or as ImageJ does.
 */
#ifndef UI_RESULTS_COLUMN_NAMES_H
#define UI_RESULTS_COLUMN_NAMES_H

#include "core/data/table.h"

#include <gtk/gtk.h>

/* The choice of the user, kept in the settings, as an action of the application; and its menu. */
void column_names_add (GtkApplication *application);
GMenuModel *column_names_menu_new (void);
gboolean column_names_are_imagej (void);
/* Calls changed (object) when the choice changes, while the object is there. */
void column_names_connect (GCallback changed, gpointer object);

/* "Area (µm²)", as the user wishes it. Free with g_free(). */
char *column_names_header (const TableColumn *column);

#endif
