/* SPDX-License-Identifier: MIT
 */
#include "core/macro/sheet.h"

#include "core/macro/state.h"

#include <math.h>
#include <string.h>

struct Sheet {
  GPtrArray *columns; /* SheetColumn */
  gint64 rows;
  gsize texts; /* bytes of them */
  gsize charged;
};

static void
column_free (gpointer data)
{
  SheetColumn *column = data;
  g_free (column->key);
  g_free (column->unit);
  g_free (column->help);
  g_array_unref (column->numbers);
  g_ptr_array_unref (column->texts);
  g_free (column);
}

Sheet *
sheet_new (void)
{
  Sheet *sheet = g_rc_box_new0 (Sheet);
  sheet->columns = g_ptr_array_new_with_free_func (column_free);
  return sheet;
}

static void
clear (gpointer sheet)
{
  g_ptr_array_unref (((Sheet *) sheet)->columns);
}

void
sheet_unref (Sheet *sheet)
{
  g_rc_box_release_full (sheet, clear);
}

gint64
sheet_rows (const Sheet *sheet)
{
  return sheet->rows;
}

guint
sheet_columns (const Sheet *sheet)
{
  return sheet->columns->len;
}

const SheetColumn *
sheet_column (const Sheet *sheet, guint j)
{
  return sheet->columns->pdata[j];
}

SheetColumn *
sheet_find (const Sheet *sheet, const char *key)
{
  for (guint j = 0; j < sheet->columns->len; j++)
    if (!strcmp (sheet_column (sheet, j)->key, key))
      return sheet->columns->pdata[j];
  return NULL;
}

gsize
sheet_bytes (const Sheet *sheet)
{
  return (gsize) sheet->rows * sheet->columns->len * sizeof (double) + sheet->texts;
}

gsize *
sheet_charged (Sheet *sheet)
{
  return &sheet->charged;
}

/* ---- Changing ---- */

static void
add_missing (SheetColumn *column, gint64 rows)
{
  const double missing = NAN;
  for (gint64 i = 0; i < rows && column->is_text; i++)
    g_ptr_array_add (column->texts, NULL);
  for (gint64 i = 0; i < rows && !column->is_text; i++)
    g_array_append_val (column->numbers, missing);
}

SheetColumn *
sheet_add_column (Sheet *sheet, const char *key, const char *unit)
{
  SheetColumn *column = g_new0 (SheetColumn, 1);
  *column = (SheetColumn){.key = g_strdup (key),
                          .unit = g_strdup (unit),
                          .help = g_strdup (""),
                          .numbers = g_array_new (FALSE, FALSE, sizeof (double)),
                          .texts = g_ptr_array_new_with_free_func (g_free)};
  add_missing (column, sheet->rows);
  g_ptr_array_add (sheet->columns, column);
  return column;
}

void
sheet_add_row (Sheet *sheet)
{
  for (guint j = 0; j < sheet->columns->len; j++)
    add_missing (sheet->columns->pdata[j], 1);
  sheet->rows++;
}

/* A column without values gets the type of the first one. */
static gboolean
become_text (const Sheet *sheet, SheetColumn *column)
{
  for (guint i = 0; i < column->numbers->len; i++)
    if (!isnan (g_array_index (column->numbers, double, i)))
      return FALSE;
  g_array_set_size (column->numbers, 0);
  column->is_text = TRUE;
  add_missing (column, sheet->rows);
  return TRUE;
}

static void
set_text (Sheet *sheet, SheetColumn *column, gint64 row, const char *text)
{
  char *before = column->texts->pdata[row];
  sheet->texts += text ? strlen (text) + 1 : 0;
  sheet->texts -= before ? strlen (before) + 1 : 0;
  column->texts->pdata[row] = g_strdup (text);
  g_free (before);
}

gboolean
sheet_set (Sheet *sheet, SheetColumn *column, gint64 row, lua_State *L, int i)
{
  int type = lua_type (L, i);
  double number = type == LUA_TNUMBER ? lua_tonumber (L, i) : NAN;
  if (type == LUA_TSTRING && (column->is_text || become_text (sheet, column)))
    set_text (sheet, column, row, lua_tostring (L, i));
  else if (column->is_text && type == LUA_TNIL)
    set_text (sheet, column, row, NULL);
  else if (!column->is_text && (type == LUA_TNUMBER || type == LUA_TNIL)) {
    column->is_whole = column->is_whole && (isnan (number) || number == floor (number));
    g_array_index (column->numbers, double, row) = number;
  } else
    return FALSE;
  return TRUE;
}

/* ---- To and from tables ---- */

Sheet *
sheet_from_table (const Table *table)
{
  Sheet *sheet = sheet_new ();
  sheet->rows = table_rows (table);
  for (guint j = 0; j < table_columns (table); j++) {
    const TableColumn *from = table_column (table, j);
    SheetColumn *column = sheet_add_column (sheet, from->key, from->unit);
    g_free (column->help);
    column->help = g_strdup (from->help);
    column->is_whole = from->type == FV_COLUMN_INTEGER;
    if (from->type != FV_COLUMN_TEXT) {
      if (sheet->rows)
        memcpy (column->numbers->data, from->values, (gsize) sheet->rows * sizeof (double));
      continue;
    }
    become_text (sheet, column);
    for (gint64 i = 0; i < sheet->rows; i++)
      if (!isnan (from->values[i]))
        set_text (sheet, column, i, from->texts->pdata[(guint) from->values[i]]);
  }
  return sheet;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* The different strings, sorted. */
static GPtrArray *
different_texts (const SheetColumn *column)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < column->texts->len; i++)
    if (column->texts->pdata[i] && g_hash_table_add (known, column->texts->pdata[i]))
      g_ptr_array_add (texts, g_strdup (column->texts->pdata[i]));
  g_ptr_array_sort (texts, compare);
  return texts;
}

static void
fill_texts (Table *table, guint j, const SheetColumn *column, double *values)
{
  g_autoptr (GPtrArray) texts = different_texts (column);
  g_autoptr (GHashTable) places = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < texts->len; i++)
    g_hash_table_insert (places, texts->pdata[i], GUINT_TO_POINTER (i));
  for (guint i = 0; i < column->texts->len; i++) {
    const char *text = column->texts->pdata[i];
    values[i] = text ? GPOINTER_TO_UINT (g_hash_table_lookup (places, text)) : NAN;
  }
  table_set_texts (table, j, texts);
}

Table *
sheet_to_table (const Sheet *sheet)
{
  Table *table = table_new ();
  double *values = g_new (double, MAX (1, sheet->rows * sheet->columns->len));
  for (guint j = 0; j < sheet->columns->len; j++) {
    const SheetColumn *column = sheet_column (sheet, j);
    fv_column_type type = column->is_text ? FV_COLUMN_TEXT : column->is_whole ? FV_COLUMN_INTEGER : FV_COLUMN_FLOAT;
    table_add_column (table, column->key, column->unit, column->help, type);
    if (column->is_text)
      fill_texts (table, j, column, values + j * sheet->rows);
    else if (sheet->rows)
      memcpy (values + j * sheet->rows, column->numbers->data, (gsize) sheet->rows * sizeof (double));
  }
  table_take_rows (table, values, sheet->rows);
  return table;
}

/* ---- To Lua ---- */

void
sheet_push (lua_State *L, const SheetColumn *column, gint64 row)
{
  if (column->is_text)
    lua_pushstring (L, column->texts->pdata[row]);
  else if (isnan (g_array_index (column->numbers, double, row)))
    lua_pushnil (L);
  else
    macro_push_number (L, g_array_index (column->numbers, double, row));
}

int
sheet_push_row (lua_State *L, const Sheet *sheet, gint64 row)
{
  if (row < 1 || row > sheet->rows) {
    lua_pushnil (L);
    return 1;
  }
  lua_createtable (L, 0, (int) sheet->columns->len);
  for (guint j = 0; j < sheet->columns->len; j++) {
    sheet_push (L, sheet_column (sheet, j), row - 1);
    lua_setfield (L, -2, sheet_column (sheet, j)->key);
  }
  return 1;
}
