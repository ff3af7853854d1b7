/* SPDX-License-Identifier: MIT
 *
 * How the columns of all rows of a group of images are spread, which sums of each image cannot tell.
 */
#ifndef CORE_BATCH_SPREAD_H
#define CORE_BATCH_SPREAD_H

#include "core/batch/folder.h"

/* sd: of the sample, with n - 1; NaN: there are too few values. */
typedef struct BatchSpread {
  double sd, median;
} BatchSpread;

/* Of each column, by its header, of those that are all numbers. records: (element-type BatchRecord), with rows. The rows are in memory together. NULL with
 * *error. */
GHashTable *batch_spread_of (const BatchFolder *folder, const GPtrArray *records, GError **error);

#endif
