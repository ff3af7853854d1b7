/* SPDX-License-Identifier: MIT
 *
 * Whether what a running operation answers keeps the rules of the ABI: what it infers, and the tables that it makes.
 */
#ifndef CORE_CALL_CHECK_H
#define CORE_CALL_CHECK_H

#include "core/data/table.h"
#include "core/ops/module.h"

/* The column that the host adds to a table: of which frame a row is, from 1. */
#define CALL_FRAME "frame"

/* What infer() made of output i, which came to it like `first`. FALSE with *error. */
gboolean call_check_grid (const Op *op, guint i, const fv_grid *grid, const fv_grid *first, fv_grain grain,
                          GError **error);
/* Columns that an operation wants: NULL, or what is wrong with them. size: of an element of theirs. frames: whether a column that
 * says which frame comes before them. Free with g_free(). */
char *call_check_columns (const fv_column *columns, guint32 n, guint32 size, gboolean frames);
/* Whether they are those of the table. Checked before. */
gboolean call_check_same_columns (const Table *table, const fv_column *columns, guint32 n, guint32 size,
                                  gboolean frames);

#endif
