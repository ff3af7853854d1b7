/* SPDX-License-Identifier: MIT
 *
 * The default contrast limits, and those of Auto, against ImageJ's resetMinAndMax() and Enhance Contrast of 0.35 %. And `display`, which finds limits
 * by itself, against the same rule.
 */
#include "core/view/contrast.h"

#include "tests/support/support.h"

#include <math.h>

enum { ROWS = 50, COLUMNS = 64, PIXELS = ROWS * COLUMNS };

/* y, x = numpy.mgrid[:50, :64]: 20 + floor (120 sin²(x / 9) cos²(y / 7)) in 8 bits, else (31 x² + 17 y² + x y) % 997 / 8 - 3. */
static Image *
make_image (fv_type type)
{
  double values[PIXELS];
  for (int y = 0; y < ROWS; y++)
    for (int x = 0; x < COLUMNS; x++)
      values[y * COLUMNS + x] = type == FV_U8 ? 20 + floor (120 * pow (sin (x / 9.0), 2) * pow (cos (y / 7.0), 2))
                                              : (x * x * 31 + y * y * 17 + x * y) % 997 / 8.0 - 3;
  return image_of (type, FV_IMAGE, ROWS, COLUMNS, values);
}

static Counts
counts_of (Image *image)
{
  Counts counts;
  counts_of_plane (&counts, image_info (image), image_plane (image, 0, NULL));
  return counts;
}

static void
assert_limits (Range limits, double low, double high)
{
  g_assert_cmpfloat_with_epsilon (limits.low, low, 1e-4); /* ImageJ prints four digits */
  g_assert_cmpfloat_with_epsilon (limits.high, high, 1e-4);
}

/* ImageJ's resetMinAndMax(): always 0 and 255 in 8 bits, and here -3 and 121.5. Its "Enhance Contrast", "saturated=0.35": 20 and 139, and -3 and
 * 121.0137, where the last bin begins; bins are 124.5 / 256 wide. */
static void
test_imagej (void)
{
  g_autoptr (Image) few = make_image (FV_U8), many = make_image (FV_F32);
  Counts counts = counts_of (few);
  ContrastAuto state = {0};
  Range limits;
  assert_limits (counts.range, 0, 255);
  g_assert_true (contrast_auto (&state, &counts, NULL, &limits));
  assert_limits (limits, 20, 139);
  counts = counts_of (many);
  assert_limits (counts.range, -3, 121.5);
  g_assert_true (contrast_auto (&state, &counts, NULL, &limits));
  assert_limits (limits, -3, 121.0137 + 124.5 / 256);
}

/* ImageJ's Auto, by hand: of 10000 pixels 25 are 3, 25 are 200, 4 are 0 and 4 are 255. 0.35 % leaves 3 and 200; then bins with more than 10000 / 2500
 * pixels are the ends, and so on; the fullest one is background. */
static void
test_again (void)
{
  Counts counts = {.range = {0, 255}, .exact = TRUE};
  ContrastAuto state = {0};
  Range limits = {-1, -1};
  counts.bins[0] = counts.bins[255] = 4;
  counts.bins[3] = counts.bins[200] = 25;
  counts.bins[60] = counts.bins[90] = 900;
  counts.bins[80] = 10000 - 2 * (4 + 25 + 900);
  g_assert_true (contrast_auto (&state, &counts, NULL, &limits));
  assert_limits (limits, 3, 200);
  for (int divisor = 2500; divisor > 400; divisor /= 2) { /* 4, 8, 16: 25 are more */
    g_assert_true (contrast_auto (&state, &counts, &limits, &limits));
    assert_limits (limits, 3, 200);
  }
  g_assert_true (contrast_auto (&state, &counts, &limits, &limits)); /* 32 */
  assert_limits (limits, 60, 90);
  const Range narrow = {70, 85};
  for (int i = 0; i < 4; i++) { /* 64, 128, 256, 512: never wider than what is set */
    g_assert_true (contrast_auto (&state, &counts, &narrow, &limits));
    assert_limits (limits, 70, 85);
  }
  g_assert_true (contrast_auto (&state, &counts, &narrow, &limits)); /* from the start */
  assert_limits (limits, 3, 200);
  state.divisor = 20;
  g_assert_false (contrast_auto (&state, &counts, &narrow, &limits)); /* 1000: no bin has more, so none is background */
  state.divisor = 625;
  g_assert_true (contrast_auto (&state, &counts, NULL, &limits)); /* reset by the user */
  assert_limits (limits, 3, 200);
}

static void
test_one_value (void)
{
  const double values[] = {7, 7, 7}, nothing[] = {NAN, INFINITY, -INFINITY};
  g_autoptr (Image) one = image_of (FV_U16, FV_IMAGE, 1, 3, values), none = image_of (FV_F64, FV_IMAGE, 1, 3, nothing);
  Counts counts = counts_of (one);
  ContrastAuto state = {0};
  Range limits;
  assert_limits (counts.range, 7, 7);
  g_assert_false (contrast_auto (&state, &counts, NULL, &limits));
  counts = counts_of (none);
  assert_limits (counts.range, 0, 0);
  g_assert_false (contrast_auto (&state, &counts, NULL, &limits));
}

/* Every pixel is looked at, however many there are: one of five million is greater, between those that are counted. */
static void
test_large (void)
{
  const gint64 n = 5000 * 1001;
  g_autofree guint16 *pixels = g_new0 (guint16, n);
  pixels[n / 2 + 1] = 1000;
  pixels[n / 2 + 2] = 60000;
  Range range = shown_range_of (FV_U16, pixels, n);
  assert_limits (range, 0, 60000);
  Counts counts;
  counts_of_plane (&counts, &(ImageInfo){.type = FV_U16, .rows = 5000, .columns = 1001}, pixels);
  assert_limits (counts.range, 0, 60000);
}

/* `display` without contrast makes the picture that it makes with these limits. */
static void
test_display (Device *device)
{
  static const fv_type types[] = {FV_U8, FV_U16, FV_I16, FV_F16, FV_I32, FV_F32, FV_F64};
  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    g_autoptr (Image) image = make_image (types[i]);
    const ImageInfo *info = image_info (image);
    Range shown = shown_range_of (types[i], image_plane (image, 0, NULL), info->rows * info->columns);
    g_autofree char *step = g_strdup_printf ("display contrast=\"%.17g %.17g\"", shown.low, shown.high);
    CallResult found = {0}, given = {0};
    run_step ("display", image, NULL, device, &found, NULL);
    run_step (step, image, NULL, device, &given, NULL);
    assert_images_equal (found.images[0], given.images[0]);
    call_result_clear (&found);
    call_result_clear (&given);
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/contrast/imagej", test_imagej);
  g_test_add_func ("/contrast/again", test_again);
  g_test_add_func ("/contrast/one-value", test_one_value);
  g_test_add_func ("/contrast/large", test_large);
  add_device_test ("/contrast/display", test_display);
  return g_test_run ();
}
