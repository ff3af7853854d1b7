/* SPDX-License-Identifier: MIT
 *
 * One number for all rows of a table with the same text in a column, such as the mean area of each well.
 */
#ifndef CORE_MEASURE_BY_TEXT_H
#define CORE_MEASURE_BY_TEXT_H

#include "core/data/table.h"

typedef enum ByTextKind { BY_TEXT_MEAN, BY_TEXT_MEDIAN, BY_TEXT_SD, BY_TEXT_COUNT, BY_TEXT_KINDS } ByTextKind;

/* A number for each of key->texts, of the values that are not missing; NaN: there are too few. The count is of all rows. sd: of the sample, with n - 1.
 * key: a column of texts; values: one of numbers, of as many rows. Free with g_free(). Any thread. */
double *by_text (const TableColumn *key, const TableColumn *values, ByTextKind kind);

#endif
