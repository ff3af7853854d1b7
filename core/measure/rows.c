/* SPDX-License-Identifier: MIT
 */
#include "core/measure/rows.h"

#include <math.h>
#include <string.h>

/* Keeps those of n rows that are in the range; how many are left. */
static gint64
keep_range (guint32 *rows, gint64 n, const double *values, double low, double high)
{
  gint64 kept = 0;
  for (gint64 i = 0; i < n; i++) {
    double value = values[rows[i]];
    rows[kept] = rows[i];
    kept += value >= low && value <= high;
  }
  return kept;
}

/* The same for a column of strings that contain a substring, case-insensitive. */
static gint64
keep_part (guint32 *rows, gint64 n, const TableColumn *column, const char *part)
{
  g_autofree char *wanted = g_utf8_casefold (part, -1);
  g_autofree gboolean *good = g_new (gboolean, column->texts->len);
  const double *values = column->values;
  gint64 kept = 0;
  for (guint i = 0; i < column->texts->len; i++) {
    g_autofree char *text = g_utf8_casefold (column->texts->pdata[i], -1);
    good[i] = strstr (text, wanted) != NULL;
  }
  for (gint64 i = 0; i < n; i++) {
    double value = values[rows[i]];
    rows[kept] = rows[i];
    kept += !isnan (value) && good[(guint) value];
  }
  return kept;
}

static gint64
keep_rows (guint32 *rows, gint64 n, const TableColumn *column, const RowRange *range)
{
  if (column->type == FV_COLUMN_TEXT && range->part)
    return keep_part (rows, n, column, range->part);
  return keep_range (rows, n, column->values, range->low, range->high);
}

typedef struct {
  guint64 key;
  guint32 row;
} Keyed;

/* Numbers in the order of their values; NaN last in both directions. */
static guint64
key_of (double value, gboolean descending)
{
  const guint64 sign = G_GUINT64_CONSTANT (1) << 63;
  guint64 bits;
  if (isnan (value))
    return G_MAXUINT64;
  value += 0.0; /* one zero */
  memcpy (&bits, &value, sizeof bits);
  bits = bits & sign ? ~bits : bits | sign;
  return descending ? ~bits : bits;
}

static int
compare_keyed (const void *a, const void *b)
{
  const Keyed *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

static void
sort_rows (guint32 *rows, gint64 n, const double *values, gboolean descending)
{
  g_autofree Keyed *keyed = g_new (Keyed, n);
  for (gint64 i = 0; i < n; i++)
    keyed[i] = (Keyed){key_of (values[rows[i]], descending), rows[i]};
  qsort (keyed, (gsize) n, sizeof *keyed, compare_keyed);
  for (gint64 i = 0; i < n; i++)
    rows[i] = keyed[i].row;
}

GBytes *
rows_order (const Table *table, const GArray *ranges, const char *sort, gboolean descending)
{
  const TableColumn *by = sort ? table_find (table, sort) : NULL;
  gint64 n = table_rows (table);
  if (!by && !ranges->len)
    return NULL;
  guint32 *rows = g_new (guint32, n);
  for (gint64 i = 0; i < n; i++)
    rows[i] = (guint32) i;
  for (guint i = 0; i < ranges->len; i++) {
    const RowRange *range = &g_array_index (ranges, RowRange, i);
    const TableColumn *column = table_find (table, range->key);
    if (column)
      n = keep_rows (rows, n, column, range);
  }
  if (by)
    sort_rows (rows, n, by->values, descending);
  return g_bytes_new_take (rows, (gsize) n * sizeof *rows);
}

Table *
rows_pick (const Table *table, GBytes *rows, gboolean imagej)
{
  const guint32 *row = rows ? g_bytes_get_data (rows, NULL) : NULL;
  gint64 n = rows ? (gint64) (g_bytes_get_size (rows) / sizeof *row) : table_rows (table);
  double *values = g_new (double, n *table_columns (table));
  Table *picked = table_new ();
  for (guint j = 0; j < table_columns (table); j++) {
    const TableColumn *c = table_column (table, j);
    TableColumn named = *c;
    named.key = imagej ? c->imagej : c->key;
    table_add_like (picked, &named);
    for (gint64 i = 0; i < n; i++)
      values[j * n + i] = table_value (table, j, rows ? row[i] : i);
  }
  table_take_rows (picked, values, n);
  return picked;
}
