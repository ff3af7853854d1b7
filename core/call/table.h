/* SPDX-License-Identifier: MIT
 *
 * A table as an operation is given it.
 */
#ifndef CORE_CALL_TABLE_H
#define CORE_CALL_TABLE_H

#include "core/data/table.h"

typedef struct CallTable {
  fv_table table; /* what its members point to is the CallTable's, or the Table's */
  fv_column *columns;
  const double **values;
  const char *const **texts;
  double *rows; /* those of one frame; NULL: the table's own */
} CallTable;

/* frame: the number, from 0, of the frame whose rows are given, where the table says of which frame each row is; -1: all rows are. To be
 * cleared; the table must live longer. */
void call_table_init (CallTable *t, const Table *table, gint64 frame);
void call_table_clear (CallTable *t);

#endif
