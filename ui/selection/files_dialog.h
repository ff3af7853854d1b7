/* SPDX-License-Identifier: MIT
 *
 * Opening and saving selections as ImageJ's .roi and .zip files.
 */
#ifndef UI_SELECTION_FILES_DIALOG_H
#define UI_SELECTION_FILES_DIALOG_H

#include "ui/selection/selections.h"

#include <gtk/gtk.h>

/* Called with the widget and what went wrong. */
typedef void (*SelectionFilesFailed) (gpointer widget, const char *text);

/* Asks for a file and adds its selections to the kept ones. */
void selection_files_open (GtkWidget *widget, Selections *selections, SelectionFilesFailed failed);
/* Asks for a name and saves the kept ones; the current one when there are none. */
void selection_files_save (GtkWidget *widget, Selections *selections, SelectionFilesFailed failed);

#endif
