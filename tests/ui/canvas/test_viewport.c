/* SPDX-License-Identifier: MIT
 *
 * Numbers by hand: which part of an image a widget of 400 x 300 shows.
 */
#include "ui/canvas/viewport.h"
#include "tests/support/init.h"

#include <math.h>

static void
count (int *n)
{
  ++*n;
}

static Viewport *
viewport_of (int width, int height, int *moved)
{
  Viewport *v = viewport_new ();
  g_signal_connect_swapped (v, "moved", G_CALLBACK (count), moved);
  viewport_set_size (v, width, height);
  return v;
}

static void
assert_area (const Viewport *v, double x, double y, double zoom)
{
  const PaintArea area = viewport_area (v, 1);
  g_assert_cmpfloat_with_epsilon (area.x, x, 1e-9);
  g_assert_cmpfloat_with_epsilon (area.y, y, 1e-9);
  g_assert_cmpfloat_with_epsilon (area.zoom, zoom, 1e-12);
}

/* The narrower side decides, the image is in the middle, and nothing has moved when it is fitted again. */
static void
fit (void)
{
  int moved = 0;
  g_autoptr (Viewport) v = viewport_of (0, 0, &moved);
  g_assert_false (viewport_fit (v, 100, 50));
  viewport_set_size (v, 400, 300);
  g_assert_true (viewport_fit (v, 100, 50));
  assert_area (v, 0, -12.5, 4);
  g_assert_false (viewport_fit (v, 100, 50));
  g_assert_cmpint (moved, ==, 1);
  g_assert_true (viewport_fitted (v));
  const PaintArea fine = viewport_area (v, 2);
  g_assert_cmpfloat (fine.zoom, ==, 8);
  g_assert_cmpint (fine.width, ==, 800);
  g_assert_cmpint (fine.height, ==, 600);
}

/* Image position (20, 10) is under (100, 40) before and after. */
static void
zoom (void)
{
  int moved = 0;
  g_autoptr (Viewport) v = viewport_of (400, 300, &moved);
  viewport_set_zoom (v, 4);
  viewport_move (v, -5, 0);
  viewport_zoom_about (v, 8, 100, 40);
  assert_area (v, 7.5, 5, 8);
  viewport_set_zoom (v, 16); /* (32.5, 23.75) is in the middle */
  assert_area (v, 20, 14.375, 16);
  viewport_zoom_about (v, 1e9, 0, 0);
  assert_area (v, 20, 14.375, 128);
  viewport_zoom_about (v, 0, 0, 0);
  assert_area (v, 20, 14.375, 1e-3);
  g_assert_cmpint (moved, ==, 6);
  g_assert_false (viewport_fitted (v));
}

/* An image of 640 rows at 100 % in the middle of 739: half a pixel beside it, so that each row is one of the widget's. */
static void
whole_pixels (void)
{
  int moved = 0;
  g_autoptr (Viewport) v = viewport_of (905, 739, &moved);
  viewport_fit (v, 640, 640);
  viewport_set_zoom (v, 1);
  const PaintArea area = viewport_area (v, 1);
  g_assert_cmpfloat (area.x, ==, round (area.x));
  g_assert_cmpfloat (area.y, ==, round (area.y));
  g_assert_cmpfloat (fabs (area.x + 132.5), <=, 0.5);
  g_assert_cmpfloat (fabs (area.y + 49.5), <=, 0.5);
}

static void
seek (void)
{
  int moved = 0;
  g_autoptr (Viewport) v = viewport_of (400, 300, &moved);
  viewport_seek (v, 399, 299);
  g_assert_cmpint (moved, ==, 0);
  viewport_seek (v, 400, 0);
  assert_area (v, 200, -150, 1);
  viewport_seek (v, 200, -151);
  assert_area (v, 0, -301, 1);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/viewport/fit", fit);
  g_test_add_func ("/viewport/zoom", zoom);
  g_test_add_func ("/viewport/seek", seek);
  g_test_add_func ("/viewport/whole-pixels", whole_pixels);
  return g_test_run ();
}
