/* SPDX-License-Identifier: MIT
 *
 * Tables as columns. A table needs nothing else, so it is the table of core itself.
 */
#include "core/call/texts.h"
#include "core/files/tables.h"
#include "library/private.h"

#include <math.h>
#include <string.h>

static const Table *
table_of (const fovea_table *table)
{
  return (const Table *) table;
}

/* NULL: the column does not exist. */
static const TableColumn *
column_at (const fovea_table *table, unsigned j)
{
  return j < fovea_table_columns (table) ? table_column (table_of (table), j) : NULL;
}

fovea_table *
library_table_new (Table *table)
{
  return (fovea_table *) table_ref (table);
}

/* ---- Of a program's columns ---- */

static gboolean
check_text (const char *text, const char *what, fovea_error **error)
{
  if (!text || g_utf8_validate (text, -1, NULL))
    return TRUE;
  library_fail_argument (error, "columns", "columns: %s is not UTF-8 text.", what);
  return FALSE;
}

/* Whether it can be the next column of the table; FALSE with *error. */
static gboolean
check_column (const Table *table, const fovea_table_column *c, gint64 rows, fovea_error **error)
{
  if (!library_has (c->name, "name", error) || !check_text (c->name, "A name", error)
      || !check_text (c->unit, "A unit", error) || !check_text (c->help, "A help text", error))
    return FALSE;
  if (table_find (table, c->name)) {
    library_fail_argument (error, "columns", "columns: Two have the name '%s'.", c->name);
    return FALSE;
  }
  if ((guint) c->type > FOVEA_COLUMN_TEXT) {
    library_fail_argument (error, "columns", "columns: '%s' has the unknown type %d.", c->name, (int) c->type);
    return FALSE;
  }
  if (rows && !(c->type == FOVEA_COLUMN_TEXT ? (const void *) c->texts : (const void *) c->numbers)) {
    library_fail_argument (error, "columns", "columns: '%s' has no values.", c->name);
    return FALSE;
  }
  for (gint64 row = 0; c->type == FOVEA_COLUMN_TEXT && row < rows; row++)
    if (!check_text (c->texts[row], c->name, error))
      return FALSE;
  return TRUE;
}

/* The values of column j, of which those of texts are indices into its list. */
static void
copy_column (Table *table, guint j, const fovea_table_column *c, double *values, gint64 rows)
{
  CallTexts texts = {0};
  if (c->type != FOVEA_COLUMN_TEXT) {
    memcpy (values, c->numbers, (gsize) rows * sizeof *values);
    return;
  }
  for (gint64 row = 0; row < rows; row++)
    values[row] = c->texts[row] ? call_texts_number (&texts, c->texts[row]) : NAN;
  table_set_texts (table, j, call_texts_in_order (&texts));
  call_texts_index (&texts, values, rows);
  call_texts_clear (&texts);
}

fovea_table *
fovea_table_new (const fovea_table_column *const *columns, int64_t rows, fovea_error **error)
{
  g_autoptr (Table) table = table_new ();
  g_autoptr (GArray) taken = g_array_new (FALSE, FALSE, sizeof (fovea_table_column));
  if (!library_has (columns, "columns", error))
    return NULL;
  if (rows < 0 || rows > G_MAXINT32) {
    library_fail_argument (error, "rows", "rows: %" G_GINT64_FORMAT " must be 0 to %d.", rows, G_MAXINT32);
    return NULL;
  }
  for (guint j = 0; columns[j]; j++) {
    fovea_table_column c;
    if (!library_take (columns[j], &c, sizeof c, "columns", error) || !check_column (table, &c, rows, error))
      return NULL;
    table_add_column (table, c.name, c.unit ? c.unit : "", c.help ? c.help : "", (fv_column_type) c.type);
    g_array_append_val (taken, c);
  }
  double *values = g_new (double, (gsize) MAX (1, taken->len * rows));
  for (guint j = 0; j < taken->len; j++)
    copy_column (table, j, &g_array_index (taken, fovea_table_column, j), values + j * rows, rows);
  table_take_rows (table, values, rows);
  return library_table_new (table);
}

void
fovea_table_free (fovea_table *table)
{
  table_unref ((Table *) table);
}

int64_t
fovea_table_rows (const fovea_table *table)
{
  return table ? table_rows (table_of (table)) : 0;
}

unsigned
fovea_table_columns (const fovea_table *table)
{
  return table ? table_columns (table_of (table)) : 0;
}

fovea_column_type
fovea_table_type (const fovea_table *table, unsigned j)
{
  G_STATIC_ASSERT ((int) FOVEA_COLUMN_TEXT == (int) FV_COLUMN_TEXT);
  const TableColumn *column = column_at (table, j);
  return column ? (fovea_column_type) column->type : FOVEA_COLUMN_FLOAT;
}

const char *
fovea_table_name (const fovea_table *table, unsigned j)
{
  const TableColumn *column = column_at (table, j);
  return column ? column->key : NULL;
}

const char *
fovea_table_unit (const fovea_table *table, unsigned j)
{
  const TableColumn *column = column_at (table, j);
  return column ? column->unit : NULL;
}

const char *
fovea_table_help (const fovea_table *table, unsigned j)
{
  const TableColumn *column = column_at (table, j);
  return column ? column->help : NULL;
}

const double *
fovea_table_numbers (const fovea_table *table, unsigned j)
{
  const TableColumn *column = column_at (table, j);
  return column && column->type != FV_COLUMN_TEXT ? column->values : NULL;
}

const char *
fovea_table_text (const fovea_table *table, unsigned j, int64_t row)
{
  const TableColumn *column = column_at (table, j);
  if (!column || column->type != FV_COLUMN_TEXT || row < 0 || row >= column->rows || isnan (column->values[row]))
    return NULL;
  return column->texts->pdata[(guint) column->values[row]];
}

fovea_code
library_csv_format (const fovea_csv_options *options, CsvFormat *format, fovea_error **error)
{
  fovea_csv_options o = {0};
  if (options && !library_take (options, &o, sizeof o, "options", error))
    return FOVEA_BAD_ARGUMENT;
  *format = (CsvFormat){o.separator ? o.separator : ',', o.raw != 0, FALSE};
  if (format->separator != ',' && format->separator != ';')
    return library_fail_argument (error, "separator", "It must be ',' or ';'.");
  return FOVEA_OK;
}

fovea_code
fovea_table_save (const fovea_table *table, const char *path, const fovea_csv_options *options, fovea_error **error)
{
  GError *fault = NULL;
  CsvFormat format;
  if (!library_has (table, "table", error) || !library_has (path, "path", error)
      || library_csv_format (options, &format, error))
    return FOVEA_BAD_ARGUMENT;
  return files_table_save (table_of (table), path, format, NULL, &fault) ? FOVEA_OK : library_fail (error, fault);
}

char *
fovea_table_csv (const fovea_table *table, const fovea_csv_options *options, fovea_error **error)
{
  CsvFormat format;
  if (!library_has (table, "table", error) || library_csv_format (options, &format, error))
    return NULL;
  return table_csv (table_of (table), format);
}

fovea_code
fovea_table_can_save (const char *path, const fovea_csv_options *options, fovea_error **error)
{
  GError *fault = NULL;
  CsvFormat format;
  if (!library_has (path, "path", error) || library_csv_format (options, &format, error))
    return FOVEA_BAD_ARGUMENT;
  return files_table_format (path, &format, &fault) ? FOVEA_OK : library_fail (error, fault);
}
