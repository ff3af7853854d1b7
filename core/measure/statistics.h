/* SPDX-License-Identifier: MIT
 *
 * Count, mean, standard deviation and extremes of values.
 */
#ifndef CORE_MEASURE_STATISTICS_H
#define CORE_MEASURE_STATISTICS_H

#include <glib.h>

/* Without missing values (NaN); NaN where there are too few. sd: of the sample, with n - 1. */
typedef struct Statistics {
  gint64 count;
  double mean, sd, min, max;
} Statistics;

/* Of n values, in the order in which they stand. mask: NULL, or not 0 for each value that counts. */
Statistics statistics_of (const double *values, const guint8 *mask, gint64 n);

#endif
