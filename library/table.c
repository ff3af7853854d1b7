/* SPDX-License-Identifier: MIT
 *
 * Tables as columns. A table needs nothing else, so it is the table of core itself.
 */
#include "core/files/tables.h"
#include "library/private.h"

#include <math.h>

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
