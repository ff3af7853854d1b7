/* SPDX-License-Identifier: MIT
 *
 * Patch Match: a part of the image that is looked up in it, ties, and images that do not go together.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

static void
assert_match (const CallResult *r, gint64 y, gint64 x, double column, double row, double distance)
{
  g_assert_cmpfloat (image_value (r->images[0], 0, y, x), ==, column);
  g_assert_cmpfloat (image_value (r->images[1], 0, y, x), ==, row);
  g_assert_cmpfloat (image_value (r->images[2], 0, y, x), ==, distance);
}

/* A part of B finds itself, but for its edges, which go on otherwise than B does. */
static void
test_part (Device *device)
{
  static const struct {
    fv_type type, distance;
  } types[] = {{FV_U8, FV_I32}, {FV_U16, FV_F64}, {FV_F32, FV_F64}};
  for (guint t = 0; t < G_N_ELEMENTS (types); t++) {
    g_autoptr (Image) b = image_random (types[t].type, FV_IMAGE, 1, 1, 40, 150, 3);
    double part[20 * 30];
    for (int i = 0; i < 20 * 30; i++)
      part[i] = image_value (b, 0, 11 + i / 30, 107 + i % 30);
    g_autoptr (Image) a = image_of (types[t].type, FV_IMAGE, 20, 30, part);
    CallResult result;
    run_step ("patch_match radius=2", a, b, device, &result, NULL);
    g_assert_cmpuint (result.n_images, ==, 3);
    g_assert_cmpint (image_info (result.images[0])->type, ==, FV_I32);
    g_assert_cmpint (image_info (result.images[2])->type, ==, types[t].distance);
    for (int y = 2; y < 18; y++)
      for (int x = 2; x < 28; x++)
        assert_match (&result, y, x, 107 + x, 11 + y, 0);
    call_result_clear (&result);
  }
}

/* By hand: a step from 0 to 10 is looked for in a row with two of them. */
static void
test_first_of_equals (Device *device)
{
  static const double step[] = {0, 10, 10}, row[] = {9, 9, 0, 0, 10, 0, 0, 10, 10};
  g_autoptr (Image) a = image_of (FV_U8, FV_IMAGE, 1, 3, step), b = image_of (FV_U8, FV_IMAGE, 1, 9, row);
  g_autoptr (Image) other = image_random (FV_U8, FV_IMAGE, 1, 1, 7, 300, 5),
                    flat = image_random (FV_U8, FV_MASK, 1, 1, 1, 1, 5);
  CallResult result;
  run_step ("patch_match", a, b, device, &result, NULL);
  assert_match (&result, 0, 0, 3, 0, 0); /* 0 0 10: at 3, and again at 6 */
  assert_match (&result, 0, 1, 7, 0, 0); /* 0 10 10 */
  assert_match (&result, 0, 2, 8, 0, 0); /* 10 10 10, past the edge of both */
  call_result_clear (&result);
  run_step ("patch_match", other, flat, device, &result, NULL);
  assert_match (&result, 6, 299, 0, 0, image_value (result.images[2], 0, 6, 299));
  call_result_clear (&result);
}

static void
test_nothing_to_match (Device *device)
{
  static const double nan[] = {NAN}, one[] = {1, 2};
  g_autoptr (Image) a = image_of (FV_F32, FV_IMAGE, 1, 1, nan), b = image_of (FV_F32, FV_IMAGE, 1, 2, one);
  CallResult result;
  run_step ("patch_match", a, b, device, &result, NULL);
  g_assert_cmpfloat (image_value (result.images[0], 0, 0, 0), ==, -1);
  g_assert_cmpfloat (image_value (result.images[1], 0, 0, 0), ==, -1);
  g_assert_true (isnan (image_value (result.images[2], 0, 0, 0)));
  call_result_clear (&result);
}

static void
assert_refused (Image *a, Image *b, const char *field, const char *words)
{
  g_autoptr (GError) error = NULL;
  CallResult result;
  g_assert_false (run_step ("patch_match", a, b, modules_device (test_modules (), "cpu", NULL), &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, field);
  g_assert_nonnull (strstr (error->message, words));
}

static void
test_refused (void)
{
  g_autoptr (Image) one = image_random (FV_U8, FV_IMAGE, 1, 3, 4, 4, 1),
                    three = image_random (FV_U8, FV_IMAGE, 3, 3, 4, 4, 1);
  g_autoptr (Image) five = image_random (FV_U8, FV_IMAGE, 5, 1, 4, 4, 1),
                    two = image_random (FV_U8, FV_IMAGE, 1, 2, 4, 4, 1);
  assert_refused (five, five, "image", "5 channels");
  assert_refused (one, three, "patches", "3 channels");
  assert_refused (one, two, "patches", "2 slices");
  assert_refused (one, NULL, "patches", "patches");
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/patch-match/part", test_part);
  add_device_test ("/patch-match/first-of-equals", test_first_of_equals);
  add_device_test ("/patch-match/nothing-to-match", test_nothing_to_match);
  g_test_add_func ("/patch-match/refused", test_refused);
  return g_test_run ();
}
