/* SPDX-License-Identifier: MIT
 */
#include "core/call/table.h"

#include "core/call/check.h"

/* As many pointers as there are texts, and a NULL. */
static const char *const *
texts_of (const TableColumn *column)
{
  const char **texts;
  if (!column->texts)
    return NULL;
  texts = g_new0 (const char *, column->texts->len + 1);
  for (guint i = 0; i < column->texts->len; i++)
    texts[i] = column->texts->pdata[i];
  return texts;
}

/* Copies the rows of a frame. */
static void
take_frame (CallTable *t, const Table *table, const TableColumn *frames, gint64 frame)
{
  gint64 n = 0, at = 0;
  for (gint64 i = 0; i < table_rows (table); i++)
    n += frames->values[i] == (double) (frame + 1);
  t->rows = g_new (double, MAX (1, (gsize) n * t->table.n_columns));
  t->table.rows = n;
  for (guint j = 0; j < t->table.n_columns; j++) {
    const double *values = t->values[j];
    t->values[j] = t->rows + at;
    for (gint64 i = 0; i < table_rows (table); i++)
      if (frames->values[i] == (double) (frame + 1))
        t->rows[at++] = values[i];
  }
}

void
call_table_init (CallTable *t, const Table *table, gint64 frame)
{
  const TableColumn *frames = table_find_numbers (table, CALL_FRAME);
  guint n = table_columns (table);
  *t = (CallTable){
    .columns = g_new0 (fv_column, n), .values = g_new0 (const double *, n), .texts = g_new0 (const char *const *, n)};
  t->table = (fv_table){.size = sizeof t->table,
                        .n_columns = n,
                        .column_size = sizeof (fv_column),
                        .columns = t->columns,
                        .rows = table_rows (table),
                        .values = t->values,
                        .texts = t->texts};
  for (guint j = 0; j < n; j++) {
    const TableColumn *column = table_column (table, j);
    t->columns[j] = (fv_column){column->key, column->unit, column->help, column->type};
    t->values[j] = column->values;
    t->texts[j] = texts_of (column);
  }
  if (frame >= 0 && frames)
    take_frame (t, table, frames, frame);
}

void
call_table_clear (CallTable *t)
{
  for (guint j = 0; j < t->table.n_columns; j++)
    g_free ((gpointer) t->texts[j]);
  g_free (t->columns);
  g_free (t->values);
  g_free (t->texts);
  g_free (t->rows);
}
