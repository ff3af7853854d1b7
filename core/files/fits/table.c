/* SPDX-License-Identifier: MIT
 */
#include "core/files/fits/table.h"

#include "core/base/file_target.h"
#include "core/base/units.h"
#include "core/files/fits/cards.h"

#include <math.h>
#include <string.h>

enum { MOST_COLUMNS = 999, MOST_TEXT = FILES_FITS_CARD - 12 /* between the quotes of a card */ };

typedef struct {
  guint width; /* bytes */
  char code;   /* of TFORMn */
  gboolean missing;
} Field;

typedef struct {
  const Table *table;
  const char *path;
  FileTarget *target;
  Field fields[MOST_COLUMNS];
  gsize row; /* bytes */
} Writer;

/* ---- Columns ---- */

static gboolean
is_ascii (const char *text)
{
  while (*text >= ' ' && *text <= '~')
    text++;
  return !*text;
}

static gboolean
fail_text (const Writer *w, const char *text, GError **error)
{
  g_autofree char *shown = csv_show_controls (text);
  return file_fail (error, FILE_ERROR_WRITE, w->path,
                    "cannot be written: FITS has ASCII alone, and not '%s'; save the table as .vot or .csv.", shown);
}

static gboolean
find_width (const Writer *w, const TableColumn *column, Field *field, GError **error)
{
  *field = (Field){1, 'A', FALSE};
  for (guint i = 0; i < column->texts->len; i++) {
    const char *text = column->texts->pdata[i];
    if (!is_ascii (text))
      return fail_text (w, text, error);
    field->width = MAX (field->width, (guint) strlen (text));
  }
  return TRUE;
}

static gboolean
find_field (Writer *w, guint j, GError **error)
{
  const TableColumn *column = table_column (w->table, j);
  Field *field = &w->fields[j];
  if (!is_ascii (column->key))
    return fail_text (w, column->key, error);
  if (strlen (column->key) > MOST_TEXT)
    return file_fail (error, FILE_ERROR_WRITE, w->path, "cannot be written: FITS cannot hold so long a name as '%s'.",
                      column->key);
  if (column->type == FV_COLUMN_TEXT) {
    if (!find_width (w, column, field, error))
      return FALSE;
  } else {
    *field = (Field){sizeof (double), 'D', FALSE};
    if (table_column_is_whole (column, &field->missing))
      field->code = 'K';
  }
  w->row += field->width;
  return TRUE;
}

/* ---- Headers ---- */

static gboolean
end_header (const Writer *w, GString *cards, GError **error)
{
  g_string_append_printf (cards, "%-*s", FILES_FITS_CARD, "END");
  while (cards->len % FILES_FITS_BLOCK)
    g_string_append_printf (cards, "%*s", FILES_FITS_CARD, "");
  return file_target_write (w->target, cards->str, cards->len, error);
}

static gboolean
write_primary (const Writer *w, GError **error)
{
  g_autoptr (GString) cards = g_string_new (NULL);
  files_fits_add (cards, "SIMPLE", 0, "T", "FITS 4.0");
  files_fits_add_integer (cards, "BITPIX", 0, 8, "");
  files_fits_add_integer (cards, "NAXIS", 0, 0, "");
  files_fits_add (cards, "EXTEND", 0, "T", "");
  return end_header (w, cards, error);
}

static void
add_column (const Writer *w, guint j, GString *cards)
{
  const TableColumn *column = table_column (w->table, j);
  const Field *field = &w->fields[j];
  g_autofree char *form = g_strdup_printf ("%u%c", field->code == 'A' ? field->width : 1, field->code),
                  *unit = units_ascii (column->unit);
  files_fits_add_text (cards, "TTYPE", j + 1, column->key, "");
  files_fits_add_text (cards, "TFORM", j + 1, form, "");
  if (*unit)
    files_fits_add_text (cards, "TUNIT", j + 1, unit, "");
  if (field->code == 'K' && field->missing)
    files_fits_add_integer (cards, "TNULL", j + 1, G_MININT64, "missing");
}

static gboolean
write_header (const Writer *w, GError **error)
{
  g_autoptr (GString) cards = g_string_new (NULL);
  files_fits_add_text (cards, "XTENSION", 0, "BINTABLE", "");
  files_fits_add_integer (cards, "BITPIX", 0, 8, "");
  files_fits_add_integer (cards, "NAXIS", 0, 2, "");
  files_fits_add_integer (cards, "NAXIS", 1, (gint64) w->row, "bytes of a row");
  files_fits_add_integer (cards, "NAXIS", 2, table_rows (w->table), "rows");
  files_fits_add_integer (cards, "PCOUNT", 0, 0, "");
  files_fits_add_integer (cards, "GCOUNT", 0, 1, "");
  files_fits_add_integer (cards, "TFIELDS", 0, table_columns (w->table), "");
  for (guint j = 0; j < table_columns (w->table); j++)
    add_column (w, j, cards);
  return end_header (w, cards, error);
}

/* ---- Rows ---- */

static void
put_bits (guint8 *at, guint64 bits)
{
  bits = GUINT64_TO_BE (bits);
  memcpy (at, &bits, sizeof bits);
}

static void
put_value (const TableColumn *column, const Field *field, gint64 row, guint8 *at)
{
  const double value = column->values[row];
  if (field->code == 'A') {
    const char *text = isnan (value) ? "" : column->texts->pdata[(guint) value];
    memset (at, 0, field->width);
    memcpy (at, text, strlen (text));
  } else if (field->code == 'K')
    put_bits (at, (guint64) (isnan (value) ? G_MININT64 : (gint64) value));
  else {
    guint64 bits;
    memcpy (&bits, &value, sizeof bits);
    put_bits (at, bits);
  }
}

static gboolean
write_rows (const Writer *w, GError **error)
{
  static const guint8 zeros[FILES_FITS_BLOCK];
  g_autofree guint8 *bytes = g_malloc (w->row + 1);
  const gint64 rows = table_rows (w->table);
  for (gint64 row = 0; row < rows; row++) {
    guint8 *at = bytes;
    for (guint j = 0; j < table_columns (w->table); at += w->fields[j++].width)
      put_value (table_column (w->table, j), &w->fields[j], row, at);
    if (!file_target_write (w->target, bytes, w->row, error))
      return FALSE;
  }
  const gsize rest = (gsize) rows * w->row % FILES_FITS_BLOCK;
  return file_target_write (w->target, zeros, rest ? FILES_FITS_BLOCK - rest : 0, error);
}

static gboolean
save (Writer *w, GError **error)
{
  if (table_columns (w->table) > MOST_COLUMNS)
    return file_fail (error, FILE_ERROR_WRITE, w->path, "cannot be written: FITS holds %d columns, and there are %u.",
                      MOST_COLUMNS, table_columns (w->table));
  for (guint j = 0; j < table_columns (w->table); j++)
    if (!find_field (w, j, error))
      return FALSE;
  g_autoptr (FileTarget) target = w->target = file_target_new (w->path, error);
  return target && write_primary (w, error) && write_header (w, error) && write_rows (w, error)
         && file_target_commit (g_steal_pointer (&target), error);
}

gboolean
files_fits_save_table (const Table *table, const char *path, GError **error)
{
  g_autofree Writer *w = g_new0 (Writer, 1);
  w->table = table;
  w->path = path;
  return save (w, error);
}
