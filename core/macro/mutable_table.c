/* SPDX-License-Identifier: MIT
 */
#include "core/macro/mutable_table.h"

#include "core/macro/state.h"

#include <math.h>
#include <string.h>

struct MutableTable {
  GPtrArray *columns; /* MutableColumn */
  gint64 rows;
  gsize texts; /* bytes of them */
  gsize charged;
};

static void
column_free (gpointer data)
{
  MutableColumn *column = data;
  g_free (column->key);
  g_free (column->unit);
  g_free (column->help);
  g_free (column->imagej);
  g_array_unref (column->numbers);
  g_ptr_array_unref (column->texts);
  g_free (column);
}

MutableTable *
mutable_table_new (void)
{
  MutableTable *table = g_rc_box_new0 (MutableTable);
  table->columns = g_ptr_array_new_with_free_func (column_free);
  return table;
}

static void
clear (gpointer table)
{
  g_ptr_array_unref (((MutableTable *) table)->columns);
}

void
mutable_table_unref (MutableTable *table)
{
  g_rc_box_release_full (table, clear);
}

gint64
mutable_table_rows (const MutableTable *table)
{
  return table->rows;
}

guint
mutable_table_columns (const MutableTable *table)
{
  return table->columns->len;
}

const MutableColumn *
mutable_table_column (const MutableTable *table, guint j)
{
  return table->columns->pdata[j];
}

MutableColumn *
mutable_table_find (const MutableTable *table, const char *key)
{
  for (guint j = 0; j < table->columns->len; j++)
    if (!strcmp (mutable_table_column (table, j)->key, key))
      return table->columns->pdata[j];
  return NULL;
}

gsize
mutable_table_bytes (const MutableTable *table)
{
  return (gsize) table->rows * table->columns->len * sizeof (double) + table->texts;
}

gsize *
mutable_table_charged (MutableTable *table)
{
  return &table->charged;
}

/* ---- Changing ---- */

static void
add_missing (MutableColumn *column, gint64 rows)
{
  const double missing = NAN;
  for (gint64 i = 0; i < rows && column->is_text; i++)
    g_ptr_array_add (column->texts, NULL);
  for (gint64 i = 0; i < rows && !column->is_text; i++)
    g_array_append_val (column->numbers, missing);
}

MutableColumn *
mutable_table_add_column (MutableTable *table, const char *key, const char *unit)
{
  MutableColumn *column = g_new0 (MutableColumn, 1);
  *column = (MutableColumn){.key = g_strdup (key),
                            .unit = g_strdup (unit),
                            .help = g_strdup (""),
                            .numbers = g_array_new (FALSE, FALSE, sizeof (double)),
                            .texts = g_ptr_array_new_with_free_func (g_free)};
  add_missing (column, table->rows);
  g_ptr_array_add (table->columns, column);
  return column;
}

void
mutable_table_add_row (MutableTable *table)
{
  for (guint j = 0; j < table->columns->len; j++)
    add_missing (table->columns->pdata[j], 1);
  table->rows++;
}

/* A column without values gets the type of the first one. */
static gboolean
become_text (const MutableTable *table, MutableColumn *column)
{
  for (guint i = 0; i < column->numbers->len; i++)
    if (!isnan (g_array_index (column->numbers, double, i)))
      return FALSE;
  g_array_set_size (column->numbers, 0);
  column->is_text = TRUE;
  add_missing (column, table->rows);
  return TRUE;
}

static void
set_text (MutableTable *table, MutableColumn *column, gint64 row, const char *text)
{
  char *before = column->texts->pdata[row];
  table->texts += text ? strlen (text) + 1 : 0;
  table->texts -= before ? strlen (before) + 1 : 0;
  column->texts->pdata[row] = g_strdup (text);
  g_free (before);
}

gboolean
mutable_table_set (MutableTable *table, MutableColumn *column, gint64 row, lua_State *L, int i)
{
  int type = lua_type (L, i);
  double number = type == LUA_TNUMBER ? lua_tonumber (L, i) : NAN;
  if (type == LUA_TSTRING && (column->is_text || become_text (table, column)))
    set_text (table, column, row, lua_tostring (L, i));
  else if (column->is_text && type == LUA_TNIL)
    set_text (table, column, row, NULL);
  else if (!column->is_text && (type == LUA_TNUMBER || type == LUA_TNIL)) {
    column->is_whole = column->is_whole && (isnan (number) || number == floor (number));
    g_array_index (column->numbers, double, row) = number;
  } else
    return FALSE;
  return TRUE;
}

/* ---- To and from tables ---- */

MutableTable *
mutable_table_from_table (const Table *table)
{
  MutableTable *mutable = mutable_table_new ();
  mutable->rows = table_rows (table);
  for (guint j = 0; j < table_columns (table); j++) {
    const TableColumn *from = table_column (table, j);
    MutableColumn *column = mutable_table_add_column (mutable, from->key, from->unit);
    g_free (column->help);
    column->help = g_strdup (from->help);
    column->imagej = g_strdup (from->imagej);
    column->is_whole = from->type == FV_COLUMN_INTEGER;
    if (from->type != FV_COLUMN_TEXT) {
      if (mutable->rows)
        memcpy (column->numbers->data, from->values, (gsize) mutable->rows * sizeof (double));
      continue;
    }
    become_text (mutable, column);
    for (gint64 i = 0; i < mutable->rows; i++)
      if (!isnan (from->values[i]))
        set_text (mutable, column, i, from->texts->pdata[(guint) from->values[i]]);
  }
  return mutable;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* The different strings, sorted. */
static GPtrArray *
different_texts (const MutableColumn *column)
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
fill_texts (Table *table, guint j, const MutableColumn *column, double *values)
{
  g_autoptr (GPtrArray) texts = different_texts (column);
  g_autoptr (GHashTable) indices = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < texts->len; i++)
    g_hash_table_insert (indices, texts->pdata[i], GUINT_TO_POINTER (i));
  for (guint i = 0; i < column->texts->len; i++) {
    const char *text = column->texts->pdata[i];
    values[i] = text ? GPOINTER_TO_UINT (g_hash_table_lookup (indices, text)) : NAN;
  }
  table_set_texts (table, j, texts);
}

Table *
mutable_table_to_table (const MutableTable *mutable)
{
  Table *table = table_new ();
  double *values = g_new (double, MAX (1, mutable->rows * mutable->columns->len));
  for (guint j = 0; j < mutable->columns->len; j++) {
    const MutableColumn *column = mutable_table_column (mutable, j);
    fv_column_type type = column->is_text ? FV_COLUMN_TEXT : column->is_whole ? FV_COLUMN_INTEGER : FV_COLUMN_FLOAT;
    table_add_column (table, column->key, column->unit, column->help, type);
    table_name_imagej (table, column->imagej);
    if (column->is_text)
      fill_texts (table, j, column, values + j * mutable->rows);
    else if (mutable->rows)
      memcpy (values + j * mutable->rows, column->numbers->data, (gsize) mutable->rows * sizeof (double));
  }
  table_take_rows (table, values, mutable->rows);
  return table;
}

/* ---- To Lua ---- */

void
mutable_table_push (lua_State *L, const MutableColumn *column, gint64 row)
{
  if (column->is_text)
    lua_pushstring (L, column->texts->pdata[row]);
  else if (isnan (g_array_index (column->numbers, double, row)))
    lua_pushnil (L);
  else
    macro_push_number (L, g_array_index (column->numbers, double, row));
}

int
mutable_table_push_row (lua_State *L, const MutableTable *table, gint64 row)
{
  if (row < 1 || row > table->rows) {
    lua_pushnil (L);
    return 1;
  }
  lua_createtable (L, 0, (int) table->columns->len);
  for (guint j = 0; j < table->columns->len; j++) {
    mutable_table_push (L, mutable_table_column (table, j), row - 1);
    lua_setfield (L, -2, mutable_table_column (table, j)->key);
  }
  return 1;
}
