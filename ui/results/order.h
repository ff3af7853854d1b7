/* SPDX-License-Identifier: MIT
 *
 * Which rows of a table are shown, and in which order.
 */
#ifndef UI_RESULTS_ORDER_H
#define UI_RESULTS_ORDER_H

#include "core/data/table.h"

/* Rows that are shown: numbers from low to high, and no others; or texts with the part in them, in whatever case. */
typedef struct ResultsRange {
  const char *key; /* of the column; interned, as is part */
  double low, high;
  const char *part; /* NULL: any */
} ResultsRange;

/* Numbers of rows, guint32: those in all the ranges (element-type ResultsRange), in the order of the column `sort`, NaN last in both
 * directions. sort: NULL, or of no column: as they are in the table. NULL when all are shown so. */
GBytes *results_order (const Table *table, const GArray *ranges, const char *sort, gboolean descending);

#endif
