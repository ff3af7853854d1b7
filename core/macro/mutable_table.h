/* SPDX-License-Identifier: MIT
 *
 * A table that macros change: columns of numbers or texts, in which values can be missing. What it holds counts as memory of the macro.
 */
#ifndef CORE_MACRO_MUTABLE_TABLE_H
#define CORE_MACRO_MUTABLE_TABLE_H

#include "core/data/table.h"

#include <lua.h>

typedef struct MutableColumn {
  char *key, *unit, *help, *imagej; /* as of a TableColumn; imagej may be NULL */
  gboolean is_text;
  gboolean is_whole; /* whole numbers */
  GArray *numbers;   /* NaN: missing */
  GPtrArray *texts;  /* NULL: missing */
} MutableColumn;

typedef struct MutableTable MutableTable;

MutableTable *mutable_table_new (void);
MutableTable *mutable_table_from_table (const Table *table);
/* Free with table_unref(). */
Table *mutable_table_to_table (const MutableTable *table);
void mutable_table_unref (MutableTable *table);

gint64 mutable_table_rows (const MutableTable *table);
guint mutable_table_columns (const MutableTable *table);
const MutableColumn *mutable_table_column (const MutableTable *table, guint j);
/* NULL: there is none of that key. */
MutableColumn *mutable_table_find (const MutableTable *table, const char *key);
/* One more, all of whose values are missing. */
MutableColumn *mutable_table_add_column (MutableTable *table, const char *key, const char *unit);
void mutable_table_add_row (MutableTable *table);
/* Sets a value from stack index i: a number, a string, or nil for a missing one. FALSE if the column has the other
 * type, or the value is none of these. */
gboolean mutable_table_set (MutableTable *table, MutableColumn *column, gint64 row, lua_State *L, int i);
/* Pushes a value, nil where it is missing. */
void mutable_table_push (lua_State *L, const MutableColumn *column, gint64 row);
/* Pushes a row, from 1, as a table {key = value}, or nil where there is none; how many values it has pushed. */
int mutable_table_push_row (lua_State *L, const MutableTable *table, gint64 row);
/* About how many bytes it holds; and how many of them are counted as the macro's memory. */
gsize mutable_table_bytes (const MutableTable *table);
gsize *mutable_table_charged (MutableTable *table);

#endif
