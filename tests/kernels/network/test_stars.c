/* SPDX-License-Identifier: MIT
 *
 * stars: polygons by hand. Distances are the same along all rays, so objects are nearly discs.
 */
#include "tests/support/support.h"

#include <math.h>

enum { CHANNELS = 33, ROWS = 20, COLUMNS = 24 };

typedef struct {
  gint64 y, x;
  double probability, reach;
} Star;

/* What a network would give for them; elsewhere the probability is 0. */
static Image *
output_of (const Star *stars, gsize n, gint64 channels)
{
  g_autofree double *pixels = g_new0 (double, channels *ROWS *COLUMNS);
  for (gsize i = 0; i < n; i++)
    for (gint64 c = 0; c < channels; c++)
      pixels[(c * ROWS + stars[i].y) * COLUMNS + stars[i].x] = c ? stars[i].reach : stars[i].probability;
  return image_of_planes (FV_F32, FV_IMAGE, channels, 1, ROWS, COLUMNS, pixels);
}

static Image *
labels_of (const char *step, Image *image, Device *device, double objects)
{
  CallResult result = {0};
  run_step (step, image, NULL, device, &result, NULL);
  g_assert_cmpfloat (result.scalars[0], ==, objects);
  Image *labels = image_ref (result.images[0]);
  call_result_clear (&result);
  return labels;
}

static gint64
count (Image *labels, double label)
{
  gint64 n = 0;
  for (gint64 y = 0; y < image_info (labels)->rows; y++)
    for (gint64 x = 0; x < image_info (labels)->columns; x++)
      n += image_value (labels, 0, y, x) == label;
  return n;
}

/* A polygon of 32 corners is inside the circle, and nearly as large. */
static void
assert_disc (Image *labels, double label, gint64 cy, gint64 cx, double radius)
{
  for (gint64 y = 0; y < image_info (labels)->rows; y++)
    for (gint64 x = 0; x < image_info (labels)->columns; x++) {
      const double far = sqrt ((double) ((y - cy) * (y - cy) + (x - cx) * (x - cx)));
      const gboolean inside = image_value (labels, 0, y, x) == label;
      g_assert_true (inside ? far <= radius : far >= radius * cos (G_PI / 32) - 1.0 / 32);
    }
}

static void
test_discs (Device *device)
{
  static const Star stars[] = {{15, 18, 0.9, 4.25}, {5, 6, 0.6, 5.5}, {10, 12, 0.4, 3}};
  g_autoptr (Image) image = output_of (stars, G_N_ELEMENTS (stars), CHANNELS);
  g_autoptr (Image) labels = labels_of ("stars", image, device, 2);
  assert_disc (labels, 1, 5, 6, 5.5);
  assert_disc (labels, 2, 15, 18, 4.25);
}

/* Cells of 3 x 3 pixels: positions are thrice as far, distances and pixel sizes belong to the larger image. */
static void
test_grid (Device *device)
{
  static const Star stars[] = {{9, 11, 0.9, 7.25}};
  g_autoptr (Image) image = output_of (stars, 1, CHANNELS);
  g_autoptr (Image) labels = labels_of ("stars grid=3", image, device, 1);
  g_assert_cmpint (image_info (labels)->rows, ==, 3 * ROWS);
  g_assert_cmpint (image_info (labels)->columns, ==, 3 * COLUMNS);
  g_assert_cmpint (image_info (labels)->channels, ==, 1);
  g_assert_cmpfloat (image_info (labels)->spacing[1], ==, 1.0 / 3);
  assert_disc (labels, 1, 27, 33, 7.25);
}

/* Two discs whose centers are 4 apart: the more probable one is whole, and stays alone where they may not share so much. */
static void
test_overlap (Device *device)
{
  static const Star stars[] = {{8, 8, 0.7, 5}, {8, 12, 0.8, 5}};
  g_autoptr (Image) image = output_of (stars, 2, CHANNELS);
  g_autoptr (Image) both = labels_of ("stars overlap=0.9", image, device, 2);
  g_autoptr (Image) one = labels_of ("stars overlap=0.1", image, device, 1);
  assert_disc (both, 2, 8, 12, 5);
  assert_disc (one, 1, 8, 12, 5);
  g_assert_cmpint (count (both, 1), >, 0);
}

/* A star that others cover completely is not counted, and the numbers have no gap. */
static void
test_hidden (Device *device)
{
  static const Star stars[] = {{8, 8, 0.7, 2}, {8, 11, 0.9, 6}, {17, 2, 0.8, 2}};
  g_autoptr (Image) image = output_of (stars, 3, CHANNELS);
  g_autoptr (Image) labels = labels_of ("stars overlap=1", image, device, 2);
  assert_disc (labels, 1, 8, 11, 6);
  assert_disc (labels, 2, 17, 2, 2);
}

static void
test_size (Device *device)
{
  static const Star stars[] = {{9, 11, 0.9, 8}};
  g_autoptr (Image) image = output_of (stars, 1, CHANNELS);
  g_autoptr (Image) seed = labels_of ("stars part=0.5", image, device, 1);
  assert_disc (seed, 1, 9, 11, 4);
}

/* A cell whose probability is NaN makes no object. A distance of NaN is 0. */
static void
test_not_finite (Device *device)
{
  static const Star stars[] = {{2, 2, NAN, 3}, {9, 9, 0.9, NAN}, {9, 20, 0.8, -INFINITY}, {17, 3, 0.7, INFINITY}};
  g_autoptr (Image) few = output_of (stars, 3, CHANNELS), all = output_of (stars, 4, CHANNELS);
  g_autoptr (Image) labels = labels_of ("stars", few, device, 0);
  g_autoptr (Image) whole = labels_of ("stars", all, device, 1);
  g_assert_cmpint (count (whole, 1), ==, ROWS * COLUMNS);
}

static void
test_refused (Device *device)
{
  g_autoptr (Image) few = output_of (NULL, 0, 32), wide = image_random (FV_F64, FV_IMAGE, CHANNELS, 1, 4, 4, 1);
  Image *const images[] = {few, wide};
  static const char *const patterns[] = {"*has 33 channels*here are 32. hyperstack channels=33*", "*64-bit float*"};
  for (gsize i = 0; i < G_N_ELEMENTS (images); i++) {
    g_autoptr (GError) error = NULL;
    CallResult result = {0};
    g_assert_false (run_step ("stars", images[i], NULL, device, &result, &error));
    if (!g_pattern_match_simple (patterns[i], error->message))
      g_error ("%s", error->message);
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/stars/discs", test_discs);
  add_device_test ("/stars/grid", test_grid);
  add_device_test ("/stars/overlap", test_overlap);
  add_device_test ("/stars/hidden", test_hidden);
  add_device_test ("/stars/size", test_size);
  add_device_test ("/stars/not-finite", test_not_finite);
  add_device_test ("/stars/refused", test_refused);
  return g_test_run ();
}
