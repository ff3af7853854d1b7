/* SPDX-License-Identifier: MIT
 *
 * Columns as arrays; rows exist only as numbers.
 */
#include "table.h"

#include "files.h"
#include "text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct Table {
  gint references;
  GPtrArray *columns; /* TableColumn * */
};

static void
column_free (gpointer data)
{
  TableColumn *column = data;
  g_free (column->key);
  g_free (column->unit);
  g_free (column->help);
  g_array_unref (column->values);
  g_free (column);
}

Table *
table_new (void)
{
  Table *table = g_new (Table, 1);
  *table = (Table){1, g_ptr_array_new_with_free_func (column_free)};
  return table;
}

Table *
table_ref (Table *table)
{
  g_atomic_int_inc (&table->references);
  return table;
}

void
table_unref (Table *table)
{
  if (!table || !g_atomic_int_dec_and_test (&table->references))
    return;
  g_ptr_array_unref (table->columns);
  g_free (table);
}

guint
table_columns (const Table *table)
{
  return table->columns->len;
}

const TableColumn *
table_column (const Table *table, guint j)
{
  return table->columns->pdata[j];
}

gint64
table_rows (const Table *table)
{
  return table->columns->len ? table_column (table, 0)->values->len : 0;
}

const TableColumn *
table_find (const Table *table, const char *key)
{
  for (guint j = 0; j < table->columns->len; j++)
    if (!strcmp (table_column (table, j)->key, key))
      return table_column (table, j);
  return NULL;
}

double
table_value (const Table *table, guint j, gint64 row)
{
  return g_array_index (table_column (table, j)->values, double, row);
}

char *
table_header (const TableColumn *column)
{
  return *column->unit ? g_strdup_printf ("%s (%s)", column->key, column->unit) : g_strdup (column->key);
}

char *
table_text (const TableColumn *column, gint64 row)
{
  double value = g_array_index (column->values, double, row);
  if (isnan (value))
    return g_strdup ("");
  if (column->type == FV_COLUMN_INTEGER && fabs (value) < 0x1p53)
    return g_strdup_printf ("%" G_GINT64_FORMAT, (gint64) value);
  return text_from_number (value);
}

void
table_add_column (Table *table, const char *key, const char *unit, const char *help, fv_column_type type)
{
  TableColumn *column = g_new (TableColumn, 1);
  *column = (TableColumn){g_strdup (key), g_strdup (unit ? unit : ""), g_strdup (help ? help : ""), type,
                          g_array_new (FALSE, FALSE, sizeof (double))};
  g_ptr_array_add (table->columns, column);
}

void
table_append (Table *table, const double *values, gint64 rows)
{
  for (guint j = 0; j < table->columns->len; j++)
    g_array_append_vals (table_column (table, j)->values, values + (gint64) j * rows, (guint) rows);
}

/* ---- CSV ---- */

/* A field, in quotes where it must be. */
static void
write_field (FILE *file, const char *text, char separator)
{
  if (!strchr (text, separator) && !strpbrk (text, "\"\r\n")) {
    fputs (text, file);
    return;
  }
  putc ('"', file);
  for (; *text; text++) {
    if (*text == '"')
      putc ('"', file);
    putc (*text, file);
  }
  putc ('"', file);
}

static void
write_rows (FILE *file, const Table *table, char separator, const char *image)
{
  if (image)
    write_field (file, "image", separator);
  for (guint j = 0; j < table->columns->len; j++) {
    g_autofree char *header = table_header (table_column (table, j));
    if (j || image)
      putc (separator, file);
    write_field (file, header, separator);
  }
  fputs ("\r\n", file);
  for (gint64 row = 0; row < table_rows (table); row++) {
    if (image)
      write_field (file, image, separator);
    for (guint j = 0; j < table->columns->len; j++) {
      g_autofree char *text = table_text (table_column (table, j), row);
      if (j || image)
        putc (separator, file);
      fputs (text, file);
    }
    fputs ("\r\n", file);
  }
}

gboolean
table_save_csv (const Table *table, const char *path, char separator, const char *image, GError **error)
{
  FilesTarget *target = files_target_new (path, error);
  FILE *file;
  gboolean failed;
  if (!target)
    return FALSE;
  file = fopen (files_target_temporary (target), "w");
  if (file)
    write_rows (file, table, separator, image);
  failed = !file || ferror (file);
  if (file)
    failed |= fclose (file) != 0;
  if (!failed)
    return files_target_commit (target, error);
  g_set_error (error, FILES_ERROR, FILES_ERROR_WRITE, "'%s' cannot be written: %s.", path, g_strerror (errno));
  files_target_abandon (target);
  return FALSE;
}
