/* SPDX-License-Identifier: MIT
 *
 * Rows of a results table to the clipboard or to a file, made on a thread.
 */
#ifndef UI_RESULTS_OUTPUT_H
#define UI_RESULTS_OUTPUT_H

#include "core/data/table.h"

#include <gtk/gtk.h>

/* rows: guint32, in the order wished. done is called with `source`, which is kept until then. */
void results_output_copy (Table *table, GBytes *rows, GdkClipboard *clipboard, GAsyncReadyCallback done,
                          gpointer source);
/* As CSV; image: as in table_save_csv(). */
void results_output_save (Table *table, GBytes *rows, const char *path, char separator, const char *image,
                          GAsyncReadyCallback done, gpointer source);
/* What was done, as a sentence; NULL with *error. Free with g_free(). */
char *results_output_finish (GAsyncResult *result, GError **error);
/* The file that it was about; NULL: the clipboard. */
const char *results_output_path (GAsyncResult *result);

#endif
