/* SPDX-License-Identifier: MIT
 *
 * Half as large: each pixel is the mean of four, at an odd end of two or one, rounded half upwards where numbers are whole; or the first of
 * them. Against sums in double.
 */
#include "core/data/halve.h"
#include "core/data/pixel_type.h"
#include "tests/support/support.h"

#include <math.h>

typedef struct {
  const Halving *h;
  const double *from;
} Given;

static double
expected (const Given *g, gint64 y, gint64 x, gboolean whole)
{
  const Halving *h = g->h;
  double sum = 0;
  int n = 0;
  if (h->nearest)
    return g->from[2 * y * h->columns + 2 * x];
  for (gint64 v = 2 * y; v < MIN (2 * y + 2, h->rows); v++)
    for (gint64 u = 2 * x; u < MIN (2 * x + 2, h->columns); u++, n++)
      sum += g->from[v * h->columns + u];
  return whole ? floor (sum / n + 0.5) : sum / n;
}

/* Values from low on, so many of them; what is larger than half the room, too. */
static void
check (fv_type type, gint64 rows, gint64 columns, gboolean nearest, double low, guint count)
{
  const Halving h = {.type = type,
                     .nearest = nearest,
                     .rows = rows,
                     .columns = columns,
                     .half_rows = (rows + 1) / 2,
                     .half_columns = (columns + 1) / 2};
  const gsize n = (gsize) (rows * columns), half = (gsize) (h.half_rows * h.half_columns);
  g_autofree double *values = g_new (double, n), *got = g_new (double, half);
  g_autofree void *from = g_malloc (n * pixel_type_bytes (type)), *to = g_malloc (half * pixel_type_bytes (type));
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) (n + type));
  for (gsize i = 0; i < n; i++)
    values[i] = low + g_rand_int_range (random, 0, (gint32) count);
  pixel_type_widen (FV_F64, values, n, type, from);
  g_assert_true (halve_plane (&h, from, to, NULL));
  pixel_type_widen (type, to, half, FV_F64, got);
  for (gint64 y = 0; y < h.half_rows; y++)
    for (gint64 x = 0; x < h.half_columns; x++) {
      double e = expected (&(Given){&h, values}, y, x, !pixel_type_is_float (type));
      if (got[y * h.half_columns + x] != e)
        g_error ("type %d, %d x %d, row %d, column %d: %g, not %g", (int) type, (int) rows, (int) columns, (int) y,
                 (int) x, got[y * h.half_columns + x], e);
    }
}

static void
test_types (void)
{
  static const struct {
    fv_type type;
    double low;
    guint count;
  } cases[] = {{FV_U8, 0, 256},     {FV_I8, -128, 256},        {FV_U16, 65000, 536},         {FV_I16, -32768, 65536},
               {FV_I16, -3, 7},     {FV_U32, 4294967000, 296}, {FV_I32, -2147483648.0, 500}, {FV_I32, -20, 40},
               {FV_F16, -200, 400}, {FV_F32, -5000, 10000},    {FV_F64, -5000, 10000}};
  static const gint64 sizes[][2] = {{1, 1}, {1, 2}, {2, 1}, {3, 3}, {4, 6}, {5, 8}, {33, 50}};
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
      for (gboolean nearest = FALSE; nearest <= TRUE; nearest++)
        check (cases[i].type, sizes[k][0], sizes[k][1], nearest, cases[i].low, cases[i].count);
}

/* Several pieces, of which the last is smaller. */
static void
test_large (void)
{
  check (FV_U8, 1201, 1999, FALSE, 0, 256);
  check (FV_I16, 1202, 2000, TRUE, -300, 700);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/halve/types", test_types);
  g_test_add_func ("/halve/large", test_large);
  return g_test_run ();
}
