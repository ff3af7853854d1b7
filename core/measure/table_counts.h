/* SPDX-License-Identifier: MIT
 *
 * How the values of one column of a table are distributed, or those of two: a grid of counts, of all rows and of those that a filter
 * shows. A histogram is a grid one cell high.
 */
#ifndef CORE_MEASURE_TABLE_COUNTS_H
#define CORE_MEASURE_TABLE_COUNTS_H

#include "core/data/table.h"
#include "core/view/range.h"

/* Of all rows, so that it stands still while the filter changes. */
typedef struct TableAxis {
  Range range;
  int cells;
  const TableColumn *column; /* of numbers; NULL: one cell for all */
} TableAxis;

typedef struct TableCounts {
  Table *table;
  GBytes *order; /* which rows are shown, guint32; NULL: all */
  TableAxis x, y;
  guint *all, *shown, max; /* y.cells rows of x.cells counts; shown: NULL without order; max: the greatest of all */
} TableCounts;

/* Nothing is counted yet. x, y: columns of the table; y: NULL for a histogram, which has more cells the more rows there are. */
TableCounts *table_counts_new (Table *table, GBytes *order, const TableColumn *x, const TableColumn *y);
void table_counts_free (TableCounts *counts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TableCounts, table_counts_free)
/* Counts, once. In any thread. */
void table_counts_fill (TableCounts *counts);
/* What was counted, as CSV: of a histogram the ends of each bar and how many rows are in it, of two columns the values of the rows that are
 * shown. Free with g_free(). */
char *table_counts_csv (const TableCounts *counts);

#endif
