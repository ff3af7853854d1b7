/* SPDX-License-Identifier: MIT
 *
 * The columns of a table in the order in which what they measure was asked for.
 */
#ifndef CORE_CALL_COLUMN_ORDER_H
#define CORE_CALL_COLUMN_ORDER_H

#include "core/data/table.h"
#include "core/ops/args.h"

/* A column belongs to the choice of the operation's set that has its help. Others, such as the slice, stay where they are. asked may be NULL. */
void column_order (Table *table, const Op *op, gconstpointer args, const ArgsAsked *asked);
/* The requested properties without a column, and the columns that replace them: "circularity, orientation", and
 * "sphericity", or "". FALSE: nothing is missing, or all columns were requested. Free with g_free(). */
gboolean column_order_missing (const Table *table, const Op *op, gconstpointer args, char **missing, char **instead);

#endif
