/* SPDX-License-Identifier: MIT
 *
 * The median by Hoare's selection.
 */
#include "core/measure/summary.h"

#include <math.h>

/* Moves the k-th smallest of n values to its index, none larger before it. */
static void
select_kth (double *v, gint64 n, gint64 k)
{
  gint64 low = 0, high = n - 1;
  while (low < high) {
    double pivot = v[low + (high - low) / 2];
    gint64 i = low, j = high;
    while (i <= j) {
      for (; v[i] < pivot; i++)
        ;
      for (; v[j] > pivot; j--)
        ;
      if (i <= j) {
        double swap = v[i];
        v[i++] = v[j];
        v[j--] = swap;
      }
    }
    if (k <= j)
      high = j;
    else if (k >= i)
      low = i;
    else
      return;
  }
}

static double
median_of (double *v, gint64 n)
{
  double below = -INFINITY;
  select_kth (v, n, n / 2);
  if (n % 2)
    return v[n / 2];
  for (gint64 i = 0; i < n / 2; i++)
    below = MAX (below, v[i]);
  return below + (v[n / 2] - below) / 2;
}

/* Of the n rows, or as many first ones; how many there are. */
static gint64
take_values (const TableColumn *column, const guint32 *rows, gint64 n, double *v)
{
  gint64 count = 0;
  for (gint64 i = 0; i < n; i++) {
    v[count] = column->values[rows ? rows[i] : i];
    count += !isnan (v[count]);
  }
  return count;
}

double
summary_median (const TableColumn *column, GBytes *order)
{
  gint64 n = order ? (gint64) (g_bytes_get_size (order) / sizeof (guint32)) : column->rows;
  g_autofree double *v = g_new (double, n);
  gint64 count = take_values (column, order ? g_bytes_get_data (order, NULL) : NULL, n, v);
  return count ? median_of (v, count) : NAN;
}

GArray *
summary_of_table (const Table *table, GBytes *order)
{
  GArray *summaries = g_array_new (FALSE, FALSE, sizeof (Summary));
  const guint32 *rows = order ? g_bytes_get_data (order, NULL) : NULL;
  gint64 n = order ? (gint64) (g_bytes_get_size (order) / sizeof *rows) : table_rows (table);
  g_autofree double *v = g_new (double, n);
  for (guint j = 0; j < table_columns (table); j++) {
    gint64 count = take_values (table_column (table, j), rows, n, v);
    Summary summary = {{count, NAN, NAN, NAN, NAN}, NAN};
    if (count && table_column (table, j)->type != FV_COLUMN_TEXT) {
      summary.statistics = statistics_of (v, NULL, count);
      summary.median = median_of (v, count); /* v is now in another order */
    }
    g_array_append_val (summaries, summary);
  }
  return summaries;
}
