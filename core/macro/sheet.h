/* SPDX-License-Identifier: MIT
 *
 * A table that macros change: columns of numbers or texts, in which values can be missing. What it holds counts as memory of the macro.
 */
#ifndef CORE_MACRO_SHEET_H
#define CORE_MACRO_SHEET_H

#include "core/data/table.h"

#include <lua.h>

typedef struct SheetColumn {
  char *key, *unit, *help;
  gboolean is_text;
  gboolean is_whole; /* whole numbers */
  GArray *numbers;   /* NaN: missing */
  GPtrArray *texts;  /* NULL: missing */
} SheetColumn;

typedef struct Sheet Sheet;

Sheet *sheet_new (void);
Sheet *sheet_from_table (const Table *table);
/* Free with table_unref(). */
Table *sheet_to_table (const Sheet *sheet);
void sheet_unref (Sheet *sheet);

gint64 sheet_rows (const Sheet *sheet);
guint sheet_columns (const Sheet *sheet);
const SheetColumn *sheet_column (const Sheet *sheet, guint j);
/* NULL: there is none of that key. */
SheetColumn *sheet_find (const Sheet *sheet, const char *key);
/* One more, all of whose values are missing. */
SheetColumn *sheet_add_column (Sheet *sheet, const char *key, const char *unit);
void sheet_add_row (Sheet *sheet);
/* Sets a value from stack index i: a number, a string, or nil for a missing one. FALSE if the column has the other
 * type, or the value is none of these. */
gboolean sheet_set (Sheet *sheet, SheetColumn *column, gint64 row, lua_State *L, int i);
/* Pushes a value, nil where it is missing. */
void sheet_push (lua_State *L, const SheetColumn *column, gint64 row);
/* Pushes a row, from 1, as a table {key = value}, or nil where there is none; how many values it has pushed. */
int sheet_push_row (lua_State *L, const Sheet *sheet, gint64 row);
/* About how many bytes it holds; and how many of them are counted as the macro's memory. */
gsize sheet_bytes (const Sheet *sheet);
gsize *sheet_charged (Sheet *sheet);

#endif
