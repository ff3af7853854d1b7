/* SPDX-License-Identifier: MIT
 */
#include "core/files/tables.h"

#include "core/base/file_error.h"
#include "core/files/fits/table.h"
#include "core/files/parquet.h"
#include "core/files/votable.h"

#include <string.h>

typedef struct {
  const char *ending;
  char separator; /* between columns of text; 0: the chosen separator of .csv */
  gboolean json;
  gboolean (*save) (const Table *table, const char *path, GError **error); /* NULL: it is text */
} Kind;

static const Kind kinds[] = {
  {".csv", 0, FALSE, NULL},
  {".tsv", '\t', FALSE, NULL},
  {".jsonl", ',', TRUE, NULL},
  {".fits", ',', FALSE, files_fits_save_table},
  {".fit", ',', FALSE, files_fits_save_table},
  {".fts", ',', FALSE, files_fits_save_table},
  {".vot", ',', FALSE, files_votable_save},
  {".xml", ',', FALSE, files_votable_save},
  {".parquet", ',', FALSE, files_parquet_save},
};

static const Kind *
kind_of (const char *path)
{
  g_autofree char *name = g_ascii_strdown (path, -1);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_has_suffix (name, kinds[i].ending))
      return &kinds[i];
  return NULL;
}

gboolean
files_table_format (const char *path, CsvFormat *format, GError **error)
{
  const Kind *kind = kind_of (path);
  if (!kind)
    return file_fail (error, FILE_ERROR_WRITE, path,
                      "cannot be a table: its name must end in .csv, .tsv, .jsonl, .fits (.fit, .fts), .vot (.xml) or "
                      ".parquet.");
  if (kind->separator && format->separator == ';')
    return file_fail (error, FILE_ERROR_WRITE, path, "cannot have semicolons: they are for .csv.");
  if (kind->separator)
    format->separator = kind->separator;
  format->json = kind->json;
  return TRUE;
}

gboolean
files_table_is_typed (const char *path)
{
  const Kind *kind = kind_of (path);
  return kind && kind->save;
}

/* The table behind a column of one text. */
static Table *
with_image (const Table *table, const char *image)
{
  const gint64 rows = table_rows (table);
  const guint n = table_columns (table);
  double *values = g_new0 (double, (gsize) rows *(n + 1) + 1);
  Table *whole = table_new ();
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (names, g_strdup (image));
  table_add_column (whole, "image", NULL, NULL, FV_COLUMN_TEXT);
  table_set_texts (whole, 0, names);
  for (guint j = 0; j < n; j++) {
    const TableColumn *column = table_column (table, j);
    table_add_like (whole, column);
    if (rows)
      memcpy (values + (gsize) (j + 1) * (gsize) rows, column->values, (gsize) rows * sizeof *values);
  }
  table_take_rows (whole, values, rows);
  return whole;
}

gboolean
files_table_save (const Table *table, const char *path, CsvFormat format, const char *image, GError **error)
{
  if (!files_table_format (path, &format, error))
    return FALSE;
  const Kind *kind = kind_of (path);
  if (!kind->save)
    return table_save_csv (table, path, format, image, error);
  g_autoptr (Table) whole = image ? with_image (table, image) : NULL;
  return kind->save (whole ? whole : table, path, error);
}
