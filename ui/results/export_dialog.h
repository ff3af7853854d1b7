/* SPDX-License-Identifier: MIT
 *
 * Where and how a table becomes a CSV file.
 */
#ifndef UI_RESULTS_EXPORT_DIALOG_H
#define UI_RESULTS_EXPORT_DIALOG_H

#include "core/document/document.h"

#include <gtk/gtk.h>

/* Not shown yet. name: what the table is. */
GtkFileChooserNative *export_dialog_new (GtkWindow *parent, const Document *document, const char *name);
/* What was chosen: between columns; and the name of the image, free with g_free(), NULL for no column of it. */
char export_dialog_separator (GtkFileChooser *chooser);
char *export_dialog_image (GtkFileChooser *chooser, const Document *document);

#endif
