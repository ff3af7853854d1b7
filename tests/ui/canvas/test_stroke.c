/* SPDX-License-Identifier: MIT
 *
 * A stroke drawn by hand is stored with few points and keeps its shape.
 */
#include "ui/canvas/stroke.h"
#include "tests/support/init.h"

#include <math.h>
#include <stdio.h>

static void
check (guint n, const SelectionPoint *points, gint64 slice, gint64 frame, const char *expected)
{
  g_autoptr (GArray) trail = g_array_new (FALSE, FALSE, sizeof *points);
  g_array_append_vals (trail, points, n);
  g_autofree char *text = stroke_points (trail, slice, frame);
  g_assert_cmpstr (text, ==, expected);
}

static void
test_points (void)
{
  const SelectionPoint line[] = {{1.2, 2.9}, {2.1, 3.1}, {5.5, 6.4}, {9.9, 10.01}}, still[] = {{4, 5}, {4.9, 5.9}};
  const SelectionPoint corner[] = {{0, 0}, {5, 0.3}, {10, 0}, {10, 4}, {10, 8}}, outside[] = {{-3.5, 2}, {7, -0.1}};
  check (4, line, 0, 0, "1,2 9,10");
  check (2, still, 0, 0, "4,5");
  check (5, corner, 0, 0, "0,0 10,0 10,8");
  check (2, outside, 0, 0, "-4,2 7,-1");
  check (2, line, 3, 0, "1,2,3 2,3");
  check (2, line, 0, 7, "1,2,0,7 2,3");
}

/* Of a circle, by the shoelace formula. snapped: to pixels of the screen, as a mouse is. */
static void
check_circle (gboolean snapped)
{
  const double radius = 60;
  g_autoptr (GArray) trail = g_array_new (FALSE, FALSE, sizeof (SelectionPoint));
  double twice = 0;
  for (int i = 0; i < 1000; i++) {
    const double angle = i * 2 * G_PI / 1000;
    SelectionPoint p = {100 + radius * cos (angle), 100 + radius * sin (angle)};
    if (snapped)
      p = (SelectionPoint){floor (p.x), floor (p.y)};
    g_array_append_val (trail, p);
  }
  g_autofree char *text = stroke_points (trail, 0, 0);
  g_auto (GStrv) points = g_strsplit (text, " ", -1);
  const guint n = g_strv_length (points);
  for (guint i = 0; i < n; i++) {
    double x, y, next_x, next_y;
    g_assert_cmpint (sscanf (points[i], "%lf,%lf", &x, &y), ==, 2);
    g_assert_cmpint (sscanf (points[(i + 1) % n], "%lf,%lf", &next_x, &next_y), ==, 2);
    twice += x * next_y - next_x * y;
  }
  g_assert_cmpuint (n, <, 100);
  g_assert_cmpfloat_with_epsilon (twice / 2, G_PI * radius * radius, 0.01 * G_PI * radius * radius);
}

static void
test_circle (void)
{
  check_circle (FALSE);
  check_circle (TRUE);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/stroke/points", test_points);
  g_test_add_func ("/stroke/circle", test_circle);
  return g_test_run ();
}
