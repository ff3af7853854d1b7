/* SPDX-License-Identifier: MIT
 *
 * The rows of the table that a call makes, in blocks that its operation asks for and fills.
 */
#ifndef CORE_CALL_ROWS_H
#define CORE_CALL_ROWS_H

#include "core/data/table.h"
#include "core/call/texts.h"

typedef struct CallRows {
  GPtrArray *blocks; /* doubles, column after column, and a guard value that detects overruns */
  GArray *lengths;   /* gint64: rows of each block */
  CallTexts texts;   /* of columns with strings, whose doubles are indices of strings */
} CallRows;

void call_rows_init (CallRows *rows);
/* There are none any more; texts stay. */
void call_rows_forget (CallRows *rows);
void call_rows_clear (CallRows *rows);
/* A block of n rows with this many columns, valid until the rows are given, forgotten or cleared. NULL with *error
 * when the number is invalid, or memory is short. */
double *call_rows_add (CallRows *rows, gint64 n, guint columns, fv_error *error);
/* Whether nothing was written beyond the blocks from `first` on. */
gboolean call_rows_stand (const CallRows *rows, guint first, guint columns);
/* The rows of all blocks become those of the table, which has none, in the order in which they were added. FALSE with *error, which
 * names the operation `who`. */
gboolean call_rows_give (CallRows *rows, Table *table, const char *who, GError **error);

#endif
