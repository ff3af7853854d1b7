/* SPDX-License-Identifier: MIT
 */
#include "core/call/rows.h"

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/base/parallel.h"

#include <math.h>
#include <string.h>

enum {
  GUARD = 64,        /* doubles behind the rows, to see whether more was written */
  GUARD_BYTE = 0xa5, /* of each of them */
  PIECE = 1 << 17,   /* doubles that one thread fills at a time */
};

void
call_rows_init (CallRows *r)
{
  *r = (CallRows){g_ptr_array_new_with_free_func (g_free), g_array_new (FALSE, FALSE, sizeof (gint64)), {0}};
}

void
call_rows_forget (CallRows *r)
{
  g_ptr_array_set_size (r->blocks, 0);
  g_array_set_size (r->lengths, 0);
}

void
call_rows_clear (CallRows *r)
{
  g_ptr_array_unref (r->blocks);
  g_array_unref (r->lengths);
  call_texts_clear (&r->texts);
}

static gint64
length_of (const CallRows *r, guint block)
{
  return g_array_index (r->lengths, gint64, block);
}

static gint64
length_of_all (const CallRows *r)
{
  gint64 all = 0;
  for (guint i = 0; i < r->lengths->len; i++)
    all += length_of (r, i);
  return all;
}

/* Memory for n rows, with a guard behind it; NULL: there is none. */
static double *
block_new (gint64 n, guint columns, fv_error *error)
{
  gsize values = (gsize) n * columns; /* below 2^31 * 2^17 */
  double *block = NULL;
  if (host_memory_ask (values * sizeof *block, error))
    return NULL;
  if ((block = g_try_new (double, values + GUARD)))
    memset (block + values, GUARD_BYTE, GUARD * sizeof *block);
  else
    error_fill (error, FV_NO_MEMORY, "Not enough memory for a table of %" G_GINT64_FORMAT " rows.", n);
  return block;
}

typedef struct {
  double *values;
  gsize n;
} Cells;

static gboolean
fill_piece (gpointer data, guint64 i, GError **error)
{
  const Cells *cells = data;
  (void) error;
  for (gsize k = i * PIECE; k < MIN (cells->n, (i + 1) * PIECE); k++)
    cells->values[k] = NAN;
  return TRUE;
}

double *
call_rows_add (CallRows *r, gint64 n, guint columns, fv_error *error)
{
  double *block;
  if (n < 0 || n > G_MAXINT32 || length_of_all (r) + n > G_MAXINT32) {
    error_fill (error, FV_UNSUPPORTED, "Its table has more than 2147483647 rows, or a negative number.");
    return NULL;
  }
  if (!(block = block_new (n, columns, error)))
    return NULL;
  /* What the operation does not write is missing. */
  Cells cells = {block, (gsize) n * columns};
  parallel_do ((cells.n + PIECE - 1) / PIECE, G_MAXUINT64, fill_piece, &cells, NULL);
  g_ptr_array_add (r->blocks, block);
  g_array_append_val (r->lengths, n);
  return block;
}

gboolean
call_rows_stand (const CallRows *r, guint first, guint columns)
{
  for (guint i = first; i < r->blocks->len; i++) {
    const double *block = r->blocks->pdata[i];
    const guint8 *guard = (const guint8 *) (block + (gsize) length_of (r, i) * columns);
    for (gsize k = 0; k < GUARD * sizeof *block; k++)
      if (guard[k] != GUARD_BYTE)
        return FALSE;
  }
  return TRUE;
}

/* One block of the n rows of all; NULL: not enough memory. */
static double *
join (const CallRows *r, gint64 n, guint columns, fv_error *error)
{
  double *joined = block_new (n, columns, error), *to = joined;
  for (guint j = 0; joined && j < columns; j++)
    for (guint i = 0; i < r->blocks->len; i++) {
      gint64 length = length_of (r, i);
      memcpy (to, (const double *) r->blocks->pdata[i] + (gint64) j * length, (gsize) length * sizeof *to);
      to += length;
    }
  return joined;
}

/* In columns of strings, replaces numbers with indices in sorted order. values: of all n rows. */
static gboolean
index_texts (CallRows *r, Table *table, double *values, gint64 n, const char *who, GError **error)
{
  for (guint j = 0; j < table_columns (table); j++) {
    const TableColumn *column = table_column (table, j);
    if (column->type != FV_COLUMN_TEXT)
      continue;
    if (!call_texts_index (&r->texts, values + (gint64) j * n, n)) {
      step_error_set (error, FV_UNSUPPORTED, NULL,
                      "%s has a number in column '%s' of its table that maps to no string.", who, column->key);
      return FALSE;
    }
    table_set_texts (table, j, call_texts_in_order (&r->texts));
  }
  return TRUE;
}

gboolean
call_rows_give (CallRows *r, Table *table, const char *who, GError **error)
{
  fv_error fault = FV_ERROR_INIT;
  gint64 n = length_of_all (r);
  double *values;
  if (!r->blocks->len)
    return TRUE;
  /* Most have one block: a million rows take longer to copy than to measure. */
  values =
    r->blocks->len == 1 ? g_ptr_array_steal_index_fast (r->blocks, 0) : join (r, n, table_columns (table), &fault);
  if (!values)
    step_error_set_from_plugin (error, who, &fault);
  else if (index_texts (r, table, values, n, who, error))
    table_take_rows (table, values, n);
  else
    g_clear_pointer (&values, g_free);
  return values != NULL;
}
