/* SPDX-License-Identifier: MIT
 *
 * All values are in one block of memory, column after column; rows exist only as numbers.
 */
#include "core/data/table.h"

#include "core/base/file_target.h"
#include "core/base/text.h"
#include "core/data/csv.h"

#include <math.h>
#include <string.h>

struct Table {
  gint references;
  GPtrArray *columns; /* TableColumn * */
  double *values;
  gint64 rows;
};

static void
column_free (gpointer data)
{
  TableColumn *column = data;
  g_free (column->key);
  g_free (column->unit);
  g_free (column->help);
  g_free (column->imagej);
  g_clear_pointer (&column->texts, g_ptr_array_unref);
  g_free (column);
}

Table *
table_new (void)
{
  Table *table = g_new (Table, 1);
  *table = (Table){.references = 1, .columns = g_ptr_array_new_with_free_func (column_free)};
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
  g_free (table->values);
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
  return table->rows;
}

const TableColumn *
table_find (const Table *table, const char *key)
{
  for (guint j = 0; j < table->columns->len; j++)
    if (!strcmp (table_column (table, j)->key, key))
      return table_column (table, j);
  return NULL;
}

const TableColumn *
table_find_numbers (const Table *table, const char *key)
{
  const TableColumn *column = table_find (table, key);
  return column && column->type != FV_COLUMN_TEXT ? column : NULL;
}

double
table_value (const Table *table, guint j, gint64 row)
{
  return table_column (table, j)->values[row];
}

char *
table_header (const TableColumn *column)
{
  return *column->unit ? g_strdup_printf ("%s (%s)", column->key, column->unit) : g_strdup (column->key);
}

/* A number of the column. */
static void
add_value (GString *s, const TableColumn *column, double value)
{
  if (isnan (value))
    return;
  if (column->type == FV_COLUMN_INTEGER && fabs (value) < 0x1p53)
    text_add_integer (s, (gint64) value);
  else
    text_add_number (s, value);
}

char *
table_text (const TableColumn *column, gint64 row)
{
  double value = column->values[row];
  GString *s;
  if (column->type == FV_COLUMN_TEXT)
    return g_strdup (isnan (value) ? "" : column->texts->pdata[(guint) value]);
  s = g_string_new (NULL);
  add_value (s, column, value);
  return g_string_free (s, FALSE);
}

gboolean
table_column_is_whole (const TableColumn *column, gboolean *missing)
{
  *missing = FALSE;
  if (column->type != FV_COLUMN_INTEGER)
    return FALSE;
  for (gint64 row = 0; row < column->rows; row++) {
    const double value = column->values[row];
    if (isnan (value))
      *missing = TRUE;
    else if (!(fabs (value) < 0x1p53) || value != trunc (value))
      return FALSE;
  }
  return TRUE;
}

void
table_add_column (Table *table, const char *key, const char *unit, const char *help, fv_column_type type)
{
  TableColumn *column = g_new (TableColumn, 1);
  *column = (TableColumn){.key = g_strdup (key),
                          .unit = g_strdup (unit ? unit : ""),
                          .help = g_strdup (help ? help : ""),
                          .imagej = g_strdup (key),
                          .type = type > FV_COLUMN_TEXT ? FV_COLUMN_FLOAT : type,
                          .stored = type};
  g_ptr_array_add (table->columns, column);
}

void
table_name_imagej (Table *table, const char *imagej)
{
  TableColumn *column = table->columns->pdata[table->columns->len - 1];
  g_free (column->imagej);
  column->imagej = g_strdup (imagej ? imagej : column->key);
}

void
table_add_like (Table *table, const TableColumn *column)
{
  table_add_column (table, column->key, column->unit, column->help, column->type);
  table_name_imagej (table, column->imagej);
  if (column->texts)
    table_set_texts (table, table->columns->len - 1, column->texts);
}

void
table_set_values (Table *table, guint j, const double *values)
{
  const TableColumn *column = table->columns->pdata[j];
  memcpy (table->values + (column->values - table->values), values, (gsize) table->rows * sizeof *values);
}

void
table_set_texts (Table *table, guint j, GPtrArray *texts)
{
  TableColumn *column = table->columns->pdata[j];
  column->texts = g_ptr_array_ref (texts);
}

static int
by_number (gconstpointer a, gconstpointer b)
{
  const guint *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

void
table_order_columns (Table *table, const guint *columns, guint n)
{
  g_autofree guint *ordered = g_memdup2 (columns, n * sizeof *columns);
  g_autofree gpointer *moved = g_new (gpointer, n);
  if (n)
    qsort (ordered, n, sizeof *ordered, by_number);
  for (guint i = 0; i < n; i++)
    moved[i] = table->columns->pdata[columns[i]];
  for (guint i = 0; i < n; i++)
    table->columns->pdata[ordered[i]] = moved[i];
}

void
table_take_rows (Table *table, double *values, gint64 rows)
{
  g_assert (!table->values);
  table->values = values;
  table->rows = rows;
  for (guint j = 0; j < table->columns->len; j++) {
    TableColumn *column = table->columns->pdata[j];
    column->values = values ? values + (gint64) j * rows : NULL;
    column->rows = rows;
  }
}

/* ---- CSV ---- */

/* Row `row` as JSON. */
static void
add_object (GString *line, const Table *table, gint64 row, const char *image)
{
  g_string_append_c (line, '{');
  if (image)
    csv_add_member (line, "image", image, FALSE);
  for (guint j = 0; j < table->columns->len; j++) {
    const TableColumn *column = table_column (table, j);
    g_autofree char *key = table_header (column), *text = table_text (column, row);
    csv_add_member (line, key, text, column->type != FV_COLUMN_TEXT);
  }
  g_string_append (line, "}\n");
}

/* One line: the header, or row `row`. */
static void
add_line (GString *line, const Table *table, gint64 row, gboolean header, CsvFormat format, const char *image)
{
  if (format.json) {
    if (!header)
      add_object (line, table, row, image);
    return;
  }
  if (image)
    csv_add_field (line, header ? "image" : image, format);
  for (guint j = 0; j < table->columns->len; j++) {
    const TableColumn *column = table_column (table, j);
    if (j || image)
      g_string_append_c (line, format.separator);
    g_autofree char *text = header ? table_header (column) : table_text (column, row);
    if (header || column->type == FV_COLUMN_TEXT)
      csv_add_field (line, text, format);
    else
      csv_add_number (line, text, format);
  }
  g_string_append (line, "\r\n");
}

void
table_add_csv (const Table *table, GString *csv)
{
  for (gint64 row = -1; row < table_rows (table); row++)
    add_line (csv, table, row, row < 0, (CsvFormat){',', TRUE, FALSE}, NULL);
}

gboolean
table_save_csv (const Table *table, const char *path, CsvFormat format, const char *image, GError **error)
{
  g_autoptr (FileTarget) target = file_target_new (path, error);
  g_autoptr (GString) line = g_string_new (csv_start (format));
  for (gint64 row = -1; target && row < table_rows (table); row++) {
    add_line (line, table, row, row < 0, format, image);
    if (!file_target_write (target, line->str, line->len, error))
      return FALSE;
    g_string_truncate (line, 0);
  }
  return target && file_target_commit (g_steal_pointer (&target), error);
}

char *
table_csv (const Table *table, CsvFormat format)
{
  GString *text = g_string_new (csv_start (format));
  for (gint64 row = -1; row < table_rows (table); row++)
    add_line (text, table, row, row < 0, format, NULL);
  return g_string_free (text, FALSE);
}
