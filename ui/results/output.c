/* SPDX-License-Identifier: MIT
 *
 * Text for spreadsheets has a header, tabs between columns, and every digit.
 */
#include "ui/results/output.h"

#include "ui/results/column_names.h"
#include "core/base/text.h"
#include "core/files/tables.h"
#include "core/measure/rows.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>

typedef struct {
  Table *table;
  GBytes *rows;
  GdkClipboard *clipboard;
  char *path, *image;
  char separator;
  gboolean imagej; /* ImageJ's names of columns */
  char *text;      /* made for the clipboard */
} Output;

static void
output_free (gpointer data)
{
  Output *output = data;
  table_unref (output->table);
  g_bytes_unref (output->rows);
  g_clear_object (&output->clipboard);
  g_free (output->path);
  g_free (output->image);
  g_free (output->text);
  g_free (output);
}

static char *
text_of (const Table *table)
{
  guint columns = table_columns (table);
  GString *s = g_string_new (NULL);
  for (guint j = 0; j < columns; j++) {
    g_autofree char *header = table_header (table_column (table, j));
    g_string_append (s, header);
    g_string_append_c (s, j + 1 < columns ? '\t' : '\n');
  }
  for (gint64 i = 0; i < table_rows (table); i++)
    for (guint j = 0; j < columns; j++) {
      g_autofree char *value = table_text (table_column (table, j), i);
      g_string_append (s, value);
      g_string_append_c (s, j + 1 < columns ? '\t' : '\n');
    }
  return g_string_free (s, FALSE);
}

static char *
sentence (const char *verb, GBytes *rows)
{
  g_autofree char *count = words_count ((gint64) (g_bytes_get_size (rows) / sizeof (guint32)), "row", "rows");
  return g_strdup_printf ("%s %s", verb, count);
}

static void
write_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Output *output = data;
  GError *error = NULL;
  (void) source, (void) cancellable;
  g_autoptr (Table) picked = rows_pick (output->table, output->rows, output->imagej);
  if (output->clipboard) {
    output->text = text_of (picked);
    g_task_return_pointer (task, sentence (_ ("Copied"), output->rows), g_free);
    return;
  }
  if (files_table_save (picked, output->path, (CsvFormat){output->separator, FALSE, FALSE}, output->image, &error))
    g_task_return_pointer (task, sentence (_ ("Exported"), output->rows), g_free);
  else
    g_task_return_error (task, error);
}

static void
start_output (const Output *output, GAsyncReadyCallback done, gpointer source)
{
  g_autoptr (GTask) task = g_task_new (source, NULL, done, NULL);
  Output *own = g_memdup2 (output, sizeof *output);
  table_ref (own->table);
  g_bytes_ref (own->rows);
  own->imagej = column_names_are_imagej ();
  g_task_set_task_data (task, own, output_free);
  g_task_run_in_thread (task, write_in_thread);
}

void
results_output_copy (Table *table, GBytes *rows, GdkClipboard *clipboard, GAsyncReadyCallback done, gpointer source)
{
  start_output (&(Output){.table = table, .rows = rows, .clipboard = g_object_ref (clipboard)}, done, source);
}

void
results_output_save (Table *table, GBytes *rows, const char *path, char separator, const char *image,
                     GAsyncReadyCallback done, gpointer source)
{
  start_output (
    &(Output){.table = table, .rows = rows, .path = g_strdup (path), .image = g_strdup (image), .separator = separator},
    done, source);
}

char *
results_output_finish (GAsyncResult *result, GError **error)
{
  const Output *output = g_task_get_task_data (G_TASK (result));
  if (output->text)
    gdk_clipboard_set_text (output->clipboard, output->text);
  return g_task_propagate_pointer (G_TASK (result), error);
}

const char *
results_output_path (GAsyncResult *result)
{
  return ((const Output *) g_task_get_task_data (G_TASK (result)))->path;
}
