/* SPDX-License-Identifier: MIT
 *
 * A results table: columns of doubles with a key, a unit and a type. NaN is a missing value. A column of strings
 * stores indices into a sorted list of strings, so that numbers sort as the strings do. CSV follows RFC 4180 in
 * UTF-8, with a decimal point in every locale and all significant digits.
 */
#ifndef CORE_DATA_TABLE_H
#define CORE_DATA_TABLE_H

#include "core/data/csv.h"
#include "fovea-plugin.h"

#include <glib.h>

typedef struct TableColumn {
  char *key, *unit, *help; /* never NULL */
  char *imagej;            /* what ImageJ calls it, or the key; never NULL */
  fv_column_type type;     /* FV_COLUMN_INTEGER, FV_COLUMN_FLOAT or FV_COLUMN_TEXT */
  fv_column_type stored;   /* FV_COLUMN_STORED or FV_COLUMN_STORED_VALUE, as it was added; else as `type` */
  const double *values;    /* one for each row */
  gint64 rows;
  GPtrArray *texts; /* char * in order, for FV_COLUMN_TEXT; else NULL */
} TableColumn;

typedef struct Table Table;

Table *table_new (void);
Table *table_ref (Table *table);
void table_unref (Table *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Table, table_unref)

guint table_columns (const Table *table);
gint64 table_rows (const Table *table);
const TableColumn *table_column (const Table *table, guint j);
/* The column of that key, or NULL. */
const TableColumn *table_find (const Table *table, const char *key);
/* The same, but NULL when it holds texts. */
const TableColumn *table_find_numbers (const Table *table, const char *key);
double table_value (const Table *table, guint j, gint64 row);
/* "area (µm²)", or the key alone. Free with g_free(). */
char *table_header (const TableColumn *column);
/* A value as CSV writes it before it is quoted: integers without a point, NaN as nothing. Free with g_free(). */
char *table_text (const TableColumn *column, gint64 row);

/* Whether the column is one of integers that are all exact; *missing: whether some are missing. */
gboolean table_column_is_whole (const TableColumn *column, gboolean *missing);

/* Adds a column to a table without rows. */
void table_add_column (Table *table, const char *key, const char *unit, const char *help, fv_column_type type);
/* Says what ImageJ calls the column added last; NULL: its key, as at first. */
void table_name_imagej (Table *table, const char *imagej);
/* Adds a column that is declared as one of another table, with its list of strings. */
void table_add_like (Table *table, const TableColumn *column);
/* Sets the list of strings that column j has indices into. */
void table_set_texts (Table *table, guint j, GPtrArray *texts);
/* Puts n different columns, given by index, into that order, within the columns that they occupy together. */
void table_order_columns (Table *table, const guint *columns, guint n);
/* The rows of a table that has none, from memory of g_malloc() that is the table's from now on: column j has the `rows` doubles
 * from values[j * rows]. */
void table_take_rows (Table *table, double *values, gint64 rows);

/* Other values for the rows of column j. */
void table_set_values (Table *table, guint j, const double *values);

/* Writes a CSV file, whole or not at all. image: a first column "image" with this text in every
 * row, or NULL. */
gboolean table_save_csv (const Table *table, const char *path, CsvFormat format, const char *image, GError **error);
/* What table_save_csv() writes, as a text. Free with g_free(). */
char *table_csv (const Table *table, CsvFormat format);

/* The same with commas and raw text, at the end of *csv: what a program reads back. */
void table_add_csv (const Table *table, GString *csv);

#endif
