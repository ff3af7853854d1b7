/* SPDX-License-Identifier: MIT
 *
 * Which rows of a table are shown or saved, and in which order.
 */
#ifndef CORE_MEASURE_ROWS_H
#define CORE_MEASURE_ROWS_H

#include "core/data/table.h"

/* Filter of rows: numbers from low to high, or strings that contain a substring, case-insensitive. */
typedef struct RowRange {
  const char *key; /* of the column; interned, as is part */
  double low, high;
  const char *part; /* NULL: any */
} RowRange;

/* Numbers of rows, guint32: those in all the ranges (element-type RowRange), in the order of the column `sort`, NaN last in both
 * directions. sort: NULL, or of no column: as they are in the table. NULL when all are shown so. */
GBytes *rows_order (const Table *table, const GArray *ranges, const char *sort, gboolean descending);
/* A table of these rows, guint32; NULL: all. imagej: its columns have ImageJ's names. */
Table *rows_pick (const Table *table, GBytes *rows, gboolean imagej);

#endif
