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
/* What was chosen: between columns; whether there is a column with the name of the image; and that name, free with g_free(), NULL for none. */
char export_dialog_separator (GtkFileChooser *chooser);
gboolean export_dialog_has_image (GtkFileChooser *chooser);
char *export_dialog_image (GtkFileChooser *chooser, const Document *document);

#endif
