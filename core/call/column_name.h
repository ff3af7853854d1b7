/* SPDX-License-Identifier: MIT
 *
 * What ImageJ calls the columns of tables, as operations declare it. What it does not have keeps its key.
 */
#ifndef CORE_CALL_COLUMN_NAME_H
#define CORE_CALL_COLUMN_NAME_H

#include "core/ops/op.h"

/* Of a column that the operation makes: "Area" for "area", "Mean C2" for "intensity_mean-1", or the key. Free with g_free(). */
char *column_name_imagej (const Op *op, const char *key);

#endif
