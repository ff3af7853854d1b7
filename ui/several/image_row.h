/* SPDX-License-Identifier: MIT
 *
 * A choice among the images that are open, and files.
 */
#ifndef UI_SEVERAL_IMAGE_ROW_H
#define UI_SEVERAL_IMAGE_ROW_H

#include "ui/shell/shell.h"

#define IMAGE_ROW_TYPE (image_row_get_type ())
/* Signal: "changed" when another image is chosen. */
G_DECLARE_FINAL_TYPE (ImageRow, image_row, FOVEA, IMAGE_ROW, GtkBox)

/* name: for those who hear and do not see it. none: whether there need be no image. */
GtkWidget *image_row_new (Shell *shell, const char *name, gboolean none);
/* Updates the list of open images. A choice of a closed image is cleared. */
void image_row_refresh (ImageRow *row);
/* The choice: an open image, or the path of a file. Both are NULL when nothing is chosen. */
Document *image_row_document (const ImageRow *row);
const char *image_row_file (const ImageRow *row);
/* Sets the choice without a signal. NULL, NULL: nothing. */
void image_row_set (ImageRow *row, Document *document, const char *file);
/* "b.tif", as listed; NULL: nothing is selected. */
const char *image_row_text (const ImageRow *row);

#endif
