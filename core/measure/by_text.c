/* SPDX-License-Identifier: MIT
 */
#include "core/measure/by_text.h"

#include "core/measure/statistics.h"

#include <math.h>

static int
compare (gconstpointer a, gconstpointer b)
{
  const double one = *(const double *) a, other = *(const double *) b;
  return (one > other) - (one < other);
}

static double
median (GArray *values)
{
  const double *v = (const double *) (gconstpointer) values->data;
  g_array_sort (values, compare);
  return values->len ? (v[values->len / 2] + v[(values->len - 1) / 2]) / 2 : NAN;
}

static double
number_of (GArray *values, ByTextKind kind)
{
  const Statistics s = statistics_of ((const double *) (gconstpointer) values->data, NULL, values->len);
  return kind == BY_TEXT_MEDIAN ? median (values) : kind == BY_TEXT_SD ? s.sd : s.mean;
}

double *
by_text (const TableColumn *key, const TableColumn *values, ByTextKind kind)
{
  const guint n = key->texts->len;
  g_autofree GArray **groups = g_new (GArray *, n);
  g_autofree double *counts = g_new0 (double, n);
  double *numbers = g_new (double, n);
  for (guint i = 0; i < n; i++)
    groups[i] = g_array_new (FALSE, FALSE, sizeof (double));
  for (gint64 row = 0; row < key->rows; row++) {
    const double group = key->values[row], value = values->values[row];
    if (!(group >= 0 && group < n))
      continue;
    counts[(guint) group]++;
    if (!isnan (value))
      g_array_append_val (groups[(guint) group], value);
  }
  for (guint i = 0; i < n; i++) {
    numbers[i] = kind == BY_TEXT_COUNT ? counts[i] : number_of (groups[i], kind);
    g_array_unref (groups[i]);
  }
  return numbers;
}
