/* SPDX-License-Identifier: MIT
 *
 * segment: discs that are drawn are found where they are, at every size; parts and devices give the same; empty images have no objects.
 */
#include "tests/support/support.h"

#include <math.h>

enum { SPACING = 2 }; /* of discs, in diameters */

/* Discs of that diameter on a grid, brighter than the background, or darker. Every second column of them has the part `faint` of the contrast. */
static Image *
discs (gint64 rows, gint64 columns, double diameter, gboolean dark, double faint)
{
  g_autofree double *pixels = g_new (double, rows *columns);
  const double step = SPACING * diameter;
  for (gint64 y = 0; y < rows; y++)
    for (gint64 x = 0; x < columns; x++) {
      const double v = fmod (y, step) - step / 2, u = fmod (x, step) - step / 2;
      const double edge = diameter / 2 - sqrt (v * v + u * u), part = (gint64) (x / step) % 2 ? faint : 1,
                   inside = part * CLAMP (edge + 0.5, 0, 1);
      pixels[y * columns + x] = 1000 + 4000 * (dark ? 1 - inside : inside) + (double) ((y * 31 + x * 17) % 23);
    }
  return image_of (FV_U16, FV_IMAGE, rows, columns, pixels);
}

static Image *
labels_of (const char *step, Image *image, Device *device, double *objects)
{
  CallResult result = {0};
  run_step (step, image, NULL, device, &result, NULL);
  if (objects)
    *objects = result.scalars[0];
  Image *labels = image_ref (result.images[0]);
  call_result_clear (&result);
  return labels;
}

/* Each whole disc has one object with its center, of about its size. */
static void
check_discs (Device *device, const char *step, double diameter, gint64 side, gboolean dark)
{
  g_autoptr (Image) image = discs (side, side, diameter, dark, 1);
  double objects;
  g_autoptr (Image) labels = labels_of (step, image, device, &objects);
  const gint64 n = (gint64) (side / (SPACING * diameter));
  g_autofree gint64 *pixels = g_new0 (gint64, (gsize) objects + 1);
  for (gint64 y = 0; y < side; y++)
    for (gint64 x = 0; x < side; x++)
      pixels[(gsize) image_value (labels, 0, y, x)]++;
  for (gint64 i = 0; i < n; i++)
    for (gint64 j = 0; j < n; j++) {
      const double at = SPACING * diameter;
      const double label = image_value (labels, 0, (gint64) ((i + 0.5) * at), (gint64) ((j + 0.5) * at));
      g_assert_cmpfloat (label, >, 0);
      const double found = 2 * sqrt (pixels[(gsize) label] / G_PI);
      g_assert_cmpfloat (found, >, 0.85 * diameter);
      g_assert_cmpfloat (found, <, 1.15 * diameter);
    }
}

static void
test_sizes (Device *device)
{
  check_discs (device, "segment", 20, 256, FALSE);
  check_discs (device, "segment", 40, 256, FALSE);
  check_discs (device, "segment diameter=10", 10, 128, FALSE);
  check_discs (device, "segment diameter=100", 100, 512, FALSE);
  check_discs (device, "segment dark=yes", 24, 192, TRUE);
}

static void
test_tiles (Device *device)
{
  g_autoptr (Image) image = discs (300, 555, 23, FALSE, 1);
  static const char *const steps[][2] = {{"segment tile=256", "segment tile=1024"},
                                         {"segment diameter=14 tile=256", "segment diameter=14 tile=2048"},
                                         {"segment diameter=70 tile=256", "segment diameter=70 tile=512"}};
  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++) {
    g_autoptr (Image) parts = labels_of (steps[i][0], image, device, NULL);
    g_autoptr (Image) whole = labels_of (steps[i][1], image, device, NULL);
    g_autoptr (Image) by_cpu = labels_of (steps[i][1], image, modules_device (test_modules (), "cpu", NULL), NULL);
    assert_images_equal (parts, whole);
    assert_images_equal (whole, by_cpu);
  }
}

/* Objects far fainter than most are dropped, and the others stay as they are. */
static void
test_contrast (Device *device)
{
  static const struct {
    double faint, some;
    gboolean dark;
  } cases[] = {{0.05, 6, FALSE}, {0.05, 6, TRUE}, {0.15, 9, FALSE}};
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    const char *dark = cases[i].dark ? "yes" : "no";
    g_autofree char *step = g_strconcat ("segment diameter=23 dark=", dark, NULL),
                    *every = g_strconcat (step, " contrast=0", NULL);
    g_autoptr (Image) image = discs (138, 138, 23, cases[i].dark, cases[i].faint);
    double objects, all;
    g_autoptr (Image) labels = labels_of (step, image, device, &objects);
    g_autoptr (Image) unfiltered = labels_of (every, image, device, &all);
    g_assert_cmpfloat (objects, ==, cases[i].some);
    g_assert_cmpfloat (all, ==, 9);
    for (gint64 y = 0; y < 138; y++)
      for (gint64 x = 0; x < 138; x++)
        if (x / 46 != 1) /* the faint column */
          g_assert_true ((image_value (labels, 0, y, x) > 0) == (image_value (unfiltered, 0, y, x) > 0));
  }
}

static void
test_empty (Device *device)
{
  static const double one[] = {7}, levels[] = {NAN, INFINITY, -INFINITY, 1, 2, NAN};
  g_autoptr (Image) pixel = image_of (FV_U8, FV_IMAGE, 1, 1, one), wild = image_of (FV_F32, FV_IMAGE, 2, 3, levels);
  g_autoptr (Image) same = image_of_planes (FV_U16, FV_IMAGE, 1, 2, 90, 70, NULL);
  g_autoptr (Image) noise = image_random (FV_U16, FV_IMAGE, 1, 1, 200, 200, 5);
  Image *const images[] = {pixel, wild, same, noise};
  for (gsize i = 0; i < G_N_ELEMENTS (images); i++) {
    double objects;
    g_autoptr (Image) labels = labels_of ("segment", images[i], device, &objects);
    g_assert_cmpfloat (objects, ==, 0);
    g_assert_cmpfloat (image_value (labels, 0, 0, 0), ==, 0);
  }
}

static void
assert_refused (const char *step, Image *image, Device *device, const char *pattern)
{
  g_autoptr (GError) error = NULL;
  CallResult result = {0};
  g_assert_false (run_step (step, image, NULL, device, &result, &error));
  g_assert_nonnull (error);
  if (!g_pattern_match_simple (pattern, error->message))
    g_error ("%s", error->message);
}

static void
test_refused (Device *device)
{
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 1, 1, 40, 40, 5);
  g_autofree char *layers =
    g_strconcat ("segment model='", g_getenv ("FOVEA_SOURCE"), "/tests/kernels/network/data/layers.onnx'", NULL);
  assert_refused ("segment diameter=large", image, device, "*diameter*neither*auto*nor a number*");
  assert_refused ("segment diameter=1", image, device, "*2 to 2000 pixels*");
  assert_refused ("segment tile=300", image, device, "*multiple of 256*");
  assert_refused ("segment model=nothing.onnx", image, device,
                  "*model 'nothing.onnx' cannot be used. It is neither*fovea models add*");
  assert_refused (layers, image, device, "*output has 42 planes*");
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/segment/sizes", test_sizes);
  add_device_test ("/segment/tiles", test_tiles);
  add_device_test ("/segment/contrast", test_contrast);
  add_device_test ("/segment/empty", test_empty);
  add_device_test ("/segment/refused", test_refused);
  return g_test_run ();
}
