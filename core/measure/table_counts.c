/* SPDX-License-Identifier: MIT
 *
 * Values that are missing or not finite are in no cell.
 */
#include "core/measure/table_counts.h"

#include "core/base/text.h"
#include "core/data/csv.h"

#include <math.h>

enum { BARS_MIN = 8, BARS_MAX = 60, CELLS_X = 120, CELLS_Y = 80 };

TableCounts *
table_counts_new (Table *table, GBytes *order, const TableColumn *x, const TableColumn *y)
{
  TableCounts *c = g_new0 (TableCounts, 1);
  int bars = CLAMP ((int) (2 * sqrt ((double) table_rows (table))), BARS_MIN, BARS_MAX);
  c->table = table_ref (table);
  c->order = order ? g_bytes_ref (order) : NULL;
  c->x = (TableAxis){.column = x, .cells = y ? CELLS_X : bars};
  c->y = (TableAxis){.column = y, .cells = y ? CELLS_Y : 1};
  return c;
}

void
table_counts_free (TableCounts *c)
{
  if (!c)
    return;
  table_unref (c->table);
  g_clear_pointer (&c->order, g_bytes_unref);
  g_free (c->all);
  g_free (c->shown);
  g_free (c);
}

/* The range of the finite values; cells of integers are whole numbers wide. */
static void
fit_axis (TableAxis *axis)
{
  double low = INFINITY, high = -INFINITY;
  for (gint64 i = 0; i < axis->column->rows; i++) {
    double value = axis->column->values[i];
    if (isfinite (value)) {
      low = MIN (low, value);
      high = MAX (high, value);
    }
  }
  if (low > high)
    low = high = 0;
  if (axis->column->type == FV_COLUMN_INTEGER && high - low < 0x1p52) {
    double width = ceil ((high - low + 1) / axis->cells);
    axis->cells = (int) ceil ((high - low + 1) / width);
    axis->range = (Range){low - 0.5, low - 0.5 + axis->cells * width};
  } else
    axis->range = range_widened ((Range){low, high});
}

/* -1: outside, or missing. */
static int
cell_of (const TableAxis *axis, gint64 row)
{
  double value;
  if (!axis->column)
    return 0;
  value = axis->column->values[row];
  return value >= axis->range.low && value <= axis->range.high ? range_part (axis->range, value, axis->cells) : -1;
}

static guint *
count (const TableCounts *c, const guint32 *rows, gint64 n)
{
  guint *counts = g_new0 (guint, c->x.cells * c->y.cells);
  for (gint64 i = 0; i < n; i++) {
    gint64 row = rows ? rows[i] : i;
    int x = cell_of (&c->x, row), y = cell_of (&c->y, row);
    if (x >= 0 && y >= 0)
      counts[y * c->x.cells + x]++;
  }
  return counts;
}

void
table_counts_fill (TableCounts *c)
{
  fit_axis (&c->x);
  if (c->y.column)
    fit_axis (&c->y);
  c->all = count (c, NULL, table_rows (c->table));
  if (c->order)
    c->shown = count (c, g_bytes_get_data (c->order, NULL), (gint64) (g_bytes_get_size (c->order) / sizeof (guint32)));
  for (int i = 0; i < c->x.cells * c->y.cells; i++)
    c->max = MAX (c->max, c->all[i]);
}

/* ---- As text ---- */

/* "area (µm²) from". */
static void
add_header (GString *s, const TableColumn *column, const char *end, char after)
{
  g_autofree char *header = table_header (column), *whole = g_strconcat (header, end, NULL);
  csv_add_field (s, whole, (CsvFormat){',', FALSE, FALSE});
  g_string_append_c (s, after);
}

static void
add_bars (GString *s, const TableCounts *c)
{
  add_header (s, c->x.column, " from", ',');
  add_header (s, c->x.column, " to", ',');
  g_string_append (s, c->shown ? "rows,shown\n" : "rows\n");
  for (int i = 0; i < c->x.cells; i++) {
    text_add_number (s, range_value (c->x.range, (double) i / c->x.cells));
    g_string_append_c (s, ',');
    text_add_number (s, range_value (c->x.range, (i + 1.0) / c->x.cells));
    g_string_append_printf (s, ",%u", c->all[i]);
    if (c->shown)
      g_string_append_printf (s, ",%u", c->shown[i]);
    g_string_append_c (s, '\n');
  }
}

static void
add_points (GString *s, const TableCounts *c)
{
  const guint32 *rows = c->order ? g_bytes_get_data (c->order, NULL) : NULL;
  const gint64 n = c->order ? (gint64) (g_bytes_get_size (c->order) / sizeof *rows) : table_rows (c->table);
  add_header (s, c->x.column, "", ',');
  add_header (s, c->y.column, "", '\n');
  for (gint64 i = 0; i < n; i++) {
    const gint64 row = rows ? rows[i] : i;
    text_add_number (s, c->x.column->values[row]);
    g_string_append_c (s, ',');
    text_add_number (s, c->y.column->values[row]);
    g_string_append_c (s, '\n');
  }
}

char *
table_counts_csv (const TableCounts *c)
{
  GString *s = g_string_new (NULL);
  (c->y.column ? add_points : add_bars) (s, c);
  return g_string_free (s, FALSE);
}
