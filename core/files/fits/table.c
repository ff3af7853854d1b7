/* SPDX-License-Identifier: MIT
 */
#include "core/files/fits/table.h"

#include "core/base/file_target.h"
#include "core/base/units.h"
#include "core/files/fits/cards.h"

#include <math.h>
#include <string.h>

enum { MAX_COLUMNS = 999, MAX_TEXT = FILES_FITS_CARD - 12 /* between the quotes of a card */ };

typedef struct {
  guint width; /* bytes */
  char code;   /* of TFORMn */
  gboolean missing;
  char *key;
  GPtrArray *texts; /* NULL: numbers */
} Field;

typedef struct {
  const Table *table;
  const char *path;
  FileTarget *target;
  Field fields[MAX_COLUMNS];
  gsize row;        /* bytes */
  gboolean encoded; /* texts are percent-encoded */
} Writer;

/* ---- Columns ---- */

static gboolean
is_ascii (const char *text)
{
  while (*text >= ' ' && *text <= '~')
    text++;
  return !*text;
}

/* FITS has ASCII alone. */
static gboolean
needs_encoding (const Table *table)
{
  for (guint j = 0; j < table_columns (table); j++) {
    const TableColumn *column = table_column (table, j);
    if (!is_ascii (column->key))
      return TRUE;
    for (guint i = 0; column->texts && i < column->texts->len; i++)
      if (!is_ascii (column->texts->pdata[i]))
        return TRUE;
  }
  return FALSE;
}

/* Where one is encoded all are, so that '%' has one meaning in a file. */
static char *
encode (const Writer *w, const char *text)
{
  return w->encoded ? g_uri_escape_string (text, " !\"#$&'()*+,/:;<=>?@[\\]^`{|}", FALSE) : g_strdup (text);
}

static void
find_texts (const Writer *w, const TableColumn *column, Field *field)
{
  field->code = 'A';
  field->width = 1;
  field->texts = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < column->texts->len; i++) {
    char *text = encode (w, column->texts->pdata[i]);
    field->width = MAX (field->width, (guint) strlen (text));
    g_ptr_array_add (field->texts, text);
  }
}

static gboolean
find_field (Writer *w, guint j, GError **error)
{
  const TableColumn *column = table_column (w->table, j);
  Field *field = &w->fields[j];
  field->key = encode (w, column->key);
  if (strlen (field->key) > MAX_TEXT)
    return file_fail (error, FILE_ERROR_WRITE, w->path, "cannot be written: FITS cannot hold so long a name as '%s'.",
                      column->key);
  if (column->type == FV_COLUMN_TEXT)
    find_texts (w, column, field);
  else {
    field->width = sizeof (double);
    field->code = table_column_is_whole (column, &field->missing) ? 'K' : 'D';
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
  files_fits_add_text (cards, "TTYPE", j + 1, field->key, "");
  files_fits_add_text (cards, "TFORM", j + 1, form, "");
  if (*unit)
    files_fits_add_text (cards, "TUNIT", j + 1, unit, "");
  if (field->code == 'K' && field->missing)
    files_fits_add_integer (cards, "TNULL", j + 1, G_MININT64, "missing");
}

static void
add_comment (GString *cards)
{
  static const char *const lines[] = {"Texts and names of columns are percent-encoded UTF-8, as in URIs:",
                                      "%C3%BC is a u with two dots, %25 a percent sign."};
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    g_string_append_printf (cards, "COMMENT %-*s", FILES_FITS_CARD - 8, lines[i]);
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
  if (w->encoded)
    add_comment (cards);
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
    const char *text = isnan (value) ? "" : field->texts->pdata[(guint) value];
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
  if (table_columns (w->table) > MAX_COLUMNS)
    return file_fail (error, FILE_ERROR_WRITE, w->path, "cannot be written: FITS holds %d columns, and there are %u.",
                      MAX_COLUMNS, table_columns (w->table));
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
  w->encoded = needs_encoding (table);
  const gboolean saved = save (w, error);
  for (guint j = 0; j < MAX_COLUMNS; j++) {
    g_free (w->fields[j].key);
    g_clear_pointer (&w->fields[j].texts, g_ptr_array_unref);
  }
  return saved;
}
