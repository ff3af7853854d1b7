/* SPDX-License-Identifier: MIT
 *
 * Count, mean, deviation, extremes and median of the columns of a results table.
 */
#ifndef CORE_MEASURE_SUMMARY_H
#define CORE_MEASURE_SUMMARY_H

#include "core/data/table.h"
#include "core/measure/statistics.h"

/* Without missing values; the median is NaN when there are no others. Of texts there is the count alone. */
typedef struct Summary {
  Statistics statistics;
  double median;
} Summary;

/* Summary of each column, to be unreferenced. order: which rows, guint32; NULL: all. */
GArray *summary_of_table (const Table *table, GBytes *order);
/* The median of a column of numbers, of such rows; NaN when there are no values. */
double summary_median (const TableColumn *column, GBytes *order);

#endif
