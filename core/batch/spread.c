/* SPDX-License-Identifier: MIT
 */
#include "core/batch/spread.h"

#include "core/base/text.h"
#include "core/batch/part.h"
#include "core/data/csv.h"
#include "core/measure/statistics.h"

#include <math.h>
#include <stdlib.h>

static void
free_values (gpointer values)
{
  g_array_unref (values);
}

/* The values of each column of some rows, behind those that are there: header -> GArray of double. */
static void
add_rows (GHashTable *values, const char *bytes, gsize n)
{
  g_autoptr (GString) field = g_string_new (NULL);
  g_autoptr (GPtrArray) columns = g_ptr_array_new ();
  const char *at = bytes, *end = bytes + n;
  for (gboolean last = FALSE; !last;) {
    last = csv_next_field (&at, end, field);
    GArray *column = g_hash_table_lookup (values, field->str);
    if (!column)
      g_hash_table_insert (values, g_strdup (field->str), column = g_array_new (FALSE, FALSE, sizeof (double)));
    g_ptr_array_add (columns, column);
  }
  while (at < end) {
    gboolean last = FALSE;
    for (guint j = 0; !last; j++) {
      double number;
      last = csv_next_field (&at, end, field);
      if (j < columns->len && text_to_number_or_infinity (field->str, &number))
        g_array_append_val ((GArray *) columns->pdata[j], number);
    }
  }
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const double one = *(const double *) a, other = *(const double *) b;
  return (one > other) - (one < other);
}

static BatchSpread
spread_of (GArray *values)
{
  const double *v = (const double *) (gconstpointer) values->data;
  const guint n = values->len;
  BatchSpread spread = {statistics_of (v, NULL, n).sd, NAN};
  g_array_sort (values, compare);
  if (n)
    spread.median = n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
  return spread;
}

GHashTable *
batch_spread_of (const BatchFolder *folder, const GPtrArray *records, GError **error)
{
  g_autoptr (GHashTable) values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_values);
  g_autoptr (GHashTable) spread = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (BatchParts) parts = batch_parts_new (folder);
  GHashTableIter iter;
  gpointer name, column;
  for (guint i = 0; i < records->len; i++) {
    const BatchRecord *record = records->pdata[i];
    gsize n;
    g_autofree char *bytes = batch_parts_read (parts, record, record->length, &n, error);
    if (!bytes)
      return NULL;
    add_rows (values, bytes, n);
  }
  g_hash_table_iter_init (&iter, values);
  while (g_hash_table_iter_next (&iter, &name, &column)) {
    const BatchSpread own = spread_of (column);
    g_hash_table_insert (spread, g_strdup (name), g_memdup2 (&own, sizeof own));
  }
  return g_steal_pointer (&spread);
}
