/* SPDX-License-Identifier: MIT
 *
 * background: boxes that do not count, and images without any that does. Boxes of one value have that value and no deviation.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

#include <math.h>

enum { BOX = 8, SIDE = 3 * BOX };

/* Boxes have the values 1 ... 9; that of box `hidden`, with most of its pixels NaN, is the mean of its neighbors. */
static Image *
boxes (int hidden, int pixels)
{
  double v[SIDE * SIDE];
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++) {
      int box = y / BOX * 3 + x / BOX + 1;
      v[y * SIDE + x] = box == hidden && y % BOX * BOX + x % BOX < pixels ? NAN : box;
    }
  return image_of (FV_F32, FV_IMAGE, SIDE, SIDE, v);
}

/* The center of a box, at which the row is y + 1/2 in SExtractor's sense. */
static double
at_center (Image *image, int box)
{
  int y = (box - 1) / 3 * BOX + BOX / 2, x = (box - 1) % 3 * BOX + BOX / 2;
  return (image_value (image, 0, y, x - 1) + image_value (image, 0, y, x)) / 2;
}

static void
test_bad_boxes (Device *device)
{
  static const struct {
    int hidden, pixels;
    double is;
  } cases[] = {{5, 32, 5}, {5, 33, (2 + 4 + 6 + 8) / 4.}, {1, 60, 3}, {9, 64, 7}, {6, 40, (3 + 5 + 9) / 3.}};
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Image) image = boxes (cases[i].hidden, cases[i].pixels);
    CallResult result;
    run_step ("background box=8 filter=1", image, NULL, device, &result, NULL);
    g_assert_cmpfloat_with_epsilon (at_center (result.images[1], cases[i].hidden), cases[i].is, 0.1);
    g_assert_cmpfloat (image_value (result.images[2], 0, 0, 0), ==, 0);
    g_assert_true (
      isnan (image_value (result.images[0], 0, (cases[i].hidden - 1) / 3 * BOX, (cases[i].hidden - 1) % 3 * BOX)));
    call_result_clear (&result);
  }
}

/* A mask hides a box that would be bright; the medians are of the boxes. */
static void
test_mask (Device *device)
{
  double v[SIDE * SIDE], hidden[SIDE * SIDE];
  for (int i = 0; i < SIDE * SIDE; i++) {
    hidden[i] = i / SIDE < BOX && i % SIDE < BOX ? 255 : 0;
    v[i] = hidden[i] ? 1000 : 3;
  }
  g_autoptr (Image) image = image_of (FV_U16, FV_IMAGE, SIDE, SIDE, v);
  g_autoptr (Image) mask = image_of (FV_U8, FV_MASK, SIDE, SIDE, hidden);
  CallResult result;
  run_step ("background box=8 filter=1", image, mask, device, &result, NULL);
  for (int i = 0; i < SIDE * SIDE; i++) {
    g_assert_cmpfloat_with_epsilon (image_value (result.images[1], 0, i / SIDE, i % SIDE), 3, 1e-6);
    g_assert_cmpfloat_with_epsilon (image_value (result.images[0], 0, i / SIDE, i % SIDE), v[i] - 3, 1e-4);
  }
  g_assert_cmpfloat (result.scalars[0], ==, 3);
  g_assert_cmpfloat (result.scalars[1], ==, 0);
  call_result_clear (&result);
}

/* In each box a pixel of 1e30 is excluded from the background, and the others keep their precision: 3, and half as often 4. */
static void
test_far_pixels (Device *device)
{
  double v[SIDE * SIDE];
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++)
      v[y * SIDE + x] = y % BOX == 2 && x % BOX == 5 ? 1e30 : (x + y) % 3 ? 3 : 4;
  g_autoptr (Image) image = image_of (FV_F32, FV_IMAGE, SIDE, SIDE, v);
  CallResult result;
  run_step ("background box=8 filter=1", image, NULL, device, &result, NULL);
  g_assert_cmpfloat (result.scalars[0], >=, 2.8);
  g_assert_cmpfloat (result.scalars[0], <=, 3.6);
  g_assert_cmpfloat_with_epsilon (result.scalars[1], sqrt (2) / 3, 0.05);
  call_result_clear (&result);
}

static void
test_nothing_good (Device *device)
{
  double v[2 * SIDE * SIDE];
  for (int i = 0; i < 2 * SIDE * SIDE; i++)
    v[i] = i < SIDE * SIDE ? NAN : 4;
  g_autoptr (Image) image = image_of_planes (FV_F64, FV_IMAGE, 1, 2, SIDE, SIDE, v);
  CallResult result;
  run_step ("background box=8", image, NULL, device, &result, NULL);
  g_assert_cmpint (image_info (result.images[0])->type, ==, FV_F64);
  g_assert_true (isnan (result.scalars[0]) && isnan (result.scalars[1]));
  g_assert_true (isnan (image_value (result.images[1], 0, 5, 5)));
  g_assert_cmpfloat (result.scalars[2], ==, 4);
  g_assert_cmpfloat_with_epsilon (image_value (result.images[0], 1, 5, 5), 0, 1e-12);
  call_result_clear (&result);
}

static void
test_errors (Device *device)
{
  static const struct {
    const char *step, *field;
  } cases[] = {{"background box=8.5", "box"}, {"background box=8,8,8", "box"}, {"background filter=1.5", "filter"}};
  g_autoptr (Image) image = boxes (0, 0);
  g_autoptr (Image) small = image_random (FV_U8, FV_MASK, 1, 1, 5, SIDE, 1);
  for (guint i = 0; i <= G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    CallResult result;
    gboolean last = i == G_N_ELEMENTS (cases);
    g_assert_false (
      run_step (last ? "background" : cases[i].step, image, last ? small : NULL, device, &result, &error));
    g_assert_cmpstr (step_error_field (error), ==, last ? "mask" : cases[i].field);
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/background/bad-boxes", test_bad_boxes);
  add_device_test ("/background/mask", test_mask);
  add_device_test ("/background/far-pixels", test_far_pixels);
  add_device_test ("/background/nothing-good", test_nothing_good);
  add_device_test ("/background/errors", test_errors);
  return g_test_run ();
}
