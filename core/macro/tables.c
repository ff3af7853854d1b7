/* SPDX-License-Identifier: MIT
 *
 * Tables of results, to be read, changed, made and saved.
 */
#include "core/macro/tables.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/macro/cage.h"
#include "core/macro/values.h"
#include "core/document/table_export.h"

#include <math.h>
#include <string.h>

/* ---- The current image's ---- */

/* NULL: there is none. Owned. */
static Table *
shown (Macro *m, const char *name, gboolean measured)
{
  GError *error = NULL;
  guint image = macro_current (m);
  Table *table = measured ? NULL : m->host->table (m->host->self, image, name, &error);
  if (error)
    macro_fail (m, error);
  if (!table && !name)
    table = m->host->measured (m->host->self, image);
  return macro_own (m, table, (GDestroyNotify) table_unref);
}

static Table *
shown_or_fail (Macro *m, const char *name, gboolean measured)
{
  Table *table = shown (m, name, measured);
  if (!table)
    macro_fail_text (m, measured ? "Nothing has been measured: run(\"Measure\") measures the selection."
                                 : "No table: add a step that makes one, such as regionprops, or measure selections.");
  return table;
}

/* Names that end with .tsv or .txt mean tabs, as in ImageJ. */
static char
usual_separator (const char *path)
{
  g_autofree char *end = g_ascii_strdown (path, -1);
  return g_str_has_suffix (end, ".csv") ? ',' : '\t';
}

/* Name or path of a table as a file of separated values. */
static void
save (Macro *m, Table *table, const char *path, char separator, const char *image)
{
  GError *error = NULL;
  if (!table_save_csv (table, path, (CsvFormat){separator, FALSE, FALSE}, image, &error))
    macro_fail (m, error);
  if (m->host->saved_table)
    m->host->saved_table (m->host->self, table);
}

static void
export_shown (Macro *m, gboolean measured, const char *target, const TableExport *choices)
{
  GError *error = NULL;
  guint image = macro_current (m);
  char *path = macro_own (m, m->host->path (m->host->self, image), g_free),
       *name = macro_own (m, path ? g_filename_display_basename (path) : NULL, g_free),
       *options = macro_own (m, table_export_format (choices), g_free);
  Table *table = table_export_pick (choices, shown_or_fail (m, NULL, measured), &error);
  if (!table)
    macro_fail (m, error);
  macro_own (m, table, (GDestroyNotify) table_unref);
  save (m, table, target, choices->semicolon ? ';' : usual_separator (target), choices->image ? name : NULL);
  m->host->saved (m->host->self, image, measured ? "export-measured" : "export", target, options);
}

void
tables_save_shown (Macro *m, gboolean measured, const char *kind, const char *path)
{
  const TableExport *plain = macro_own (m, table_export_new (), (GDestroyNotify) table_export_free);
  export_shown (m, measured, cage_file (m, kind, path), plain);
}

int
tables_save (lua_State *L, Macro *m, const char *command, const char *arguments)
{
  GError *error = NULL;
  TableExport *choices = macro_own (m, table_export_new (), (GDestroyNotify) table_export_free);
  const char *path = NULL;
  gboolean measured = FALSE;
  (void) L;
  for (char **word = macro_words (m, arguments); *word; word++)
    if (g_str_has_prefix (*word, "path="))
      path = cage_file (m, command, *word + strlen ("path="));
    else if (!strcmp (*word, "table=measurements"))
      measured = TRUE;
    else if (!table_export_read (choices, *word, &error))
      macro_fail (m, error);
  if (!path)
    macro_fail_text (m, "run(\"%s\", …) needs path=[FILE].", command);
  export_shown (m, measured, path, choices);
  return 0;
}

int
tables_clear (lua_State *L, Macro *m, const char *command, const char *arguments)
{
  (void) L, (void) command, (void) arguments;
  m->host->clear_measured (m->host->self, macro_current (m));
  return 0;
}

static int
count_results (lua_State *L, Macro *m)
{
  Table *table = shown (m, NULL, FALSE);
  lua_pushinteger (L, table ? table_rows (table) : 0);
  return 1;
}

/* The column of that key, or label; raises an error that names the nearest. */
static void
fail_column (Macro *m, const char *key, GPtrArray *keys)
{
  g_ptr_array_add (keys, NULL);
  const char *all = macro_own (m, g_strjoinv (", ", (char **) keys->pdata), g_free);
  macro_own (m, keys, (GDestroyNotify) g_ptr_array_unref);
  macro_fail_text (m, "Column '%s' does not exist. Columns: %s.", key, all);
}

/* The key may be ImageJ's name: "Mean", "Circ.". */
static const TableColumn *
find_column (const Table *table, const char *key)
{
  const TableColumn *column = table_find (table, key);
  for (guint j = 0; !column && j < table_columns (table); j++) {
    const TableColumn *c = table_column (table, j);
    if (!g_ascii_strcasecmp (c->key, key) || !g_ascii_strcasecmp (c->imagej, key))
      column = c;
  }
  return column;
}

static int
get_result (lua_State *L, Macro *m)
{
  const char *key = macro_text (L, 1);
  Table *table = shown_or_fail (m, NULL, FALSE);
  lua_Integer row = luaL_optinteger (L, 2, table_rows (table) - 1);
  const TableColumn *column = find_column (table, key);
  if (!column) {
    GPtrArray *keys = g_ptr_array_new ();
    for (guint j = 0; j < table_columns (table); j++)
      g_ptr_array_add (keys, table_column (table, j)->key);
    fail_column (m, key, keys);
  }
  if (row < 0 || row >= table_rows (table))
    macro_fail_text (m, "Row %lld does not exist: the table has %lld, counted from 0.", (long long) row,
                     (long long) table_rows (table));
  if (column->type == FV_COLUMN_TEXT)
    lua_pushstring (L, macro_own (m, table_text (column, row), g_free));
  else if (isnan (column->values[row]))
    lua_pushnumber (L, NAN);
  else
    macro_push_number (L, column->values[row]);
  return 1;
}

/* ---- As values ---- */

/* What a mutable table holds is the macro's memory, once it is a value. */
static void
charge (Macro *m, MutableTable *table)
{
  gsize bytes = mutable_table_bytes (table), *charged = mutable_table_charged (table);
  if (bytes > *charged && bytes - *charged > m->max - MIN (m->used, m->max)) {
    lua_gc (m->lua, LUA_GCCOLLECT);
    if (bytes - *charged > m->max - MIN (m->used, m->max))
      macro_fail_text (m, "The table does not fit into the %" G_GSIZE_FORMAT " MiB that this macro may use.",
                       m->max >> 20);
  }
  m->used += bytes - *charged;
  *charged = bytes;
}

int
tables_push (lua_State *L, Macro *m, const Table *table)
{
  MutableTable *mutable = macro_own (m, mutable_table_from_table (table), (GDestroyNotify) mutable_table_unref);
  values_push (L, VALUE_TABLE, mutable);
  charge (m, mutable);
  return 1;
}

static int
get_table (lua_State *L, Macro *m)
{
  return tables_push (L, m, shown_or_fail (m, macro_text_or_null (L, 1), FALSE));
}

static int
new_table (lua_State *L, Macro *m)
{
  MutableTable *table = macro_own (m, mutable_table_new (), (GDestroyNotify) mutable_table_unref);
  lua_settop (L, 1);
  if (!lua_isnil (L, 1)) {
    luaL_checktype (L, 1, LUA_TTABLE);
    for (lua_Integer i = 1; lua_rawgeti (L, 1, i) != LUA_TNIL; i++, lua_pop (L, 1)) {
      const char *key = macro_text (L, -1);
      if (mutable_table_find (table, key))
        macro_fail_text (m, "Two columns are called '%s'.", key);
      mutable_table_add_column (table, key, "");
    }
  }
  values_push (L, VALUE_TABLE, table);
  return 1;
}

static int
list_columns (lua_State *L, Macro *m)
{
  const MutableTable *table = values_get (L, 1, VALUE_TABLE);
  (void) m;
  lua_newtable (L);
  for (guint j = 0; j < mutable_table_columns (table); j++) {
    lua_pushstring (L, mutable_table_column (table, j)->key);
    lua_rawseti (L, -2, j + 1);
  }
  return 1;
}

static int
get_column (lua_State *L, Macro *m)
{
  MutableTable *table = values_get (L, 1, VALUE_TABLE);
  const char *key = macro_text (L, 2);
  const MutableColumn *column = mutable_table_find (table, key);
  if (!column) {
    GPtrArray *keys = g_ptr_array_new ();
    for (guint j = 0; j < mutable_table_columns (table); j++)
      g_ptr_array_add (keys, mutable_table_column (table, j)->key);
    fail_column (m, key, keys);
  }
  gint64 rows = mutable_table_rows (table);
  lua_createtable (L, (int) MIN (rows, G_MAXINT), 0);
  for (gint64 i = 0; i < rows; i++) {
    mutable_table_push (L, column, i);
    if (lua_isnil (L, -1)) { /* a list has no holes */
      lua_pop (L, 1);
      if (column->is_text)
        lua_pushliteral (L, "");
      else
        lua_pushnumber (L, NAN);
    }
    lua_rawseti (L, -2, i + 1);
  }
  return 1;
}

/* From the value on the top of the stack, which is taken away. */
static void
set_value (lua_State *L, Macro *m, MutableTable *table, const char *key, gint64 row)
{
  MutableColumn *column = mutable_table_find (table, key);
  if (!column)
    column = mutable_table_add_column (table, key, "");
  if (!mutable_table_set (table, column, row, L, -1))
    macro_fail_text (m, "Column '%s' contains %s and cannot store a %s.", key, column->is_text ? "texts" : "numbers",
                     luaL_typename (L, -1));
  lua_pop (L, 1);
}

/* addColumn (key, values or function (row), unit) */
static int
add_column (lua_State *L, Macro *m)
{
  MutableTable *table = values_get (L, 1, VALUE_TABLE);
  const char *key = macro_text (L, 2);
  gboolean computed = lua_isfunction (L, 3);
  lua_settop (L, 4);
  if (!computed)
    luaL_checktype (L, 3, LUA_TTABLE);
  if (!mutable_table_find (table, key))
    mutable_table_add_column (table, key, luaL_optstring (L, 4, ""));
  charge (m, table);
  for (gint64 i = 0; i < mutable_table_rows (table); i++) {
    if (computed) {
      lua_pushvalue (L, 3);
      mutable_table_push_row (L, table, i + 1);
      lua_call (L, 1, 1);
    } else
      lua_geti (L, 3, i + 1);
    set_value (L, m, table, key, i);
  }
  return 0;
}

static int
add_row (lua_State *L, Macro *m)
{
  MutableTable *table = values_get (L, 1, VALUE_TABLE);
  lua_settop (L, 2);
  luaL_checktype (L, 2, LUA_TTABLE);
  charge (m, table);
  mutable_table_add_row (table);
  for (lua_pushnil (L); lua_next (L, 2);) {
    if (lua_type (L, -2) != LUA_TSTRING)
      macro_fail_text (m, "A row is a table that maps column names to values: {area = 5}.");
    set_value (L, m, table, lua_tostring (L, -2), mutable_table_rows (table) - 1);
  }
  return 0;
}

static int
set_cell (lua_State *L, Macro *m)
{
  MutableTable *table = values_get (L, 1, VALUE_TABLE);
  const char *key = macro_text (L, 2);
  lua_Integer row = luaL_checkinteger (L, 3);
  lua_settop (L, 4);
  if (row < 1 || row > mutable_table_rows (table))
    macro_fail_text (m, "Row %lld does not exist: the table has %lld, counted from 1.", (long long) row,
                     (long long) mutable_table_rows (table));
  charge (m, table);
  set_value (L, m, table, key, row - 1);
  return 0;
}

static int
save_value (lua_State *L, Macro *m)
{
  const MutableTable *mutable = values_get (L, 1, VALUE_TABLE);
  const char *path = macro_text (L, 2), *separator = luaL_optstring (L, 3, NULL);
  luaL_argcheck (L, !separator || !strcmp (separator, ",") || !strcmp (separator, ";"), 3,
                 "the separator is \",\" or \";\"");
  Table *table = macro_own (m, mutable_table_to_table (mutable), (GDestroyNotify) table_unref);
  path = cage_file (m, NULL, path);
  save (m, table, path, separator ? *separator : usual_separator (path), NULL);
  return 0;
}

const MacroFunction macro_table_functions[] = {
  {"nResults", "",
   "returns the number of rows in the table of the current image: the last table of its "
   "steps, otherwise the measurements.",
   count_results},
  {"getResult", "column[, row]",
   "returns a value of that table, by column key or ImageJ's name for it; rows are counted "
   "from 0, and the default is the last one.",
   get_result},
  {"getTable", "[name]",
   "returns that table, or the one named with as=name, as a value: #t is its number of "
   "rows, t[1].area a value.",
   get_table},
  {"Table.new", "[columns]", "returns an empty table with columns of these names: Table.new{\"file\", \"count\"}.",
   new_table},
  {"table:columns", "", "returns the names of its columns.", list_columns},
  {"table:column", "name",
   "returns the values of a column as a list; missing numbers are NaN, missing strings "
   "empty.",
   get_column},
  {"table:addColumn", "name, values[, unit]",
   "adds or replaces a column; values is a list, or a function that is called with each row.", add_column},
  {"table:addRow", "{name = value, …}", "adds a row; omitted values are missing, and new names add columns.", add_row},
  {"table:set", "column, row, value", "changes one value; rows are counted from 1.", set_cell},
  {"table:save", "path[, separator]", "saves it as .csv, separated by \",\" or \";\", or with tabs as .tsv or .txt.",
   save_value},
  {0},
};
