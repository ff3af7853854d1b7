/* SPDX-License-Identifier: MIT
 *
 * Count, mean, deviation, extremes and median of the columns of a results table.
 */
#ifndef UI_RESULTS_SUMMARY_H
#define UI_RESULTS_SUMMARY_H

#include "core/data/table.h"

/* Without missing values; NaN where there are too few. sd: of the sample, with n - 1. */
typedef struct ResultsSummary {
  gint64 count;
  double mean, sd, min, median, max;
} ResultsSummary;

/* One for each column. order: which rows, guint32; NULL: all. */
GArray *results_summary_make (const Table *table, GBytes *order);

#endif
