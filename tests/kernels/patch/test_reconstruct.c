/* SPDX-License-Identifier: MIT
 *
 * Reconstruct from Patches: what is matched with itself comes back, means by hand, and images that do not go together.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

#include <math.h>

static gboolean
reconstruct (const char *step, Image *x, Image *y, Image *patches, Device *device, CallResult *result, GError **error)
{
  g_autoptr (Recipe) recipe = recipe_parse (test_modules (), step, NULL);
  Image *inputs[] = {x, y, patches};
  return call_op (recipe_step (recipe, 0)->op, recipe_step (recipe, 0)->args, inputs, device, NULL, result, error);
}

static void
test_itself (Device *device)
{
  for (guint type = FV_U8; type <= FV_F64; type <<= 1)
    for (int radius = 1; radius <= 3; radius++) {
      g_autoptr (Image) image = image_random ((fv_type) type, FV_IMAGE, 3, 2, 21, 34, type);
      g_autofree char *match = g_strdup_printf ("patch_match radius=%d", radius);
      g_autofree char *step = g_strdup_printf ("reconstruct radius=%d", radius);
      CallResult field, result;
      run_step (match, image, image, device, &field, NULL);
      g_assert_true (reconstruct (step, field.images[0], field.images[1], image, device, &result, NULL));
      g_assert_cmpint (image_info (result.images[0])->channels, ==, 3);
      for (gint64 plane = 0; plane < 6; plane++)
        for (gint64 i = 0; i < 21 * 34; i++) /* the mean of equal numbers, but for its rounding */
          g_assert_cmpfloat_with_epsilon (image_value (result.images[0], plane, i / 34, i % 34),
                                          image_value (image, plane, i / 34, i % 34), 1e-6);
      call_result_clear (&field);
      call_result_clear (&result);
    }
}

/* Three patches of a row of 1 2 4 8: of 8 at its end, of 1 at its start, and none. */
static void
test_by_hand (Device *device)
{
  static const double row[] = {1, 2, 4, 8}, xs[] = {3, 0, -1}, ys[] = {0, 0, 0};
  g_autoptr (Image) b = image_of (FV_F64, FV_IMAGE, 1, 4, row), x = image_of (FV_I32, FV_IMAGE, 1, 3, xs);
  g_autoptr (Image) y = image_of (FV_I32, FV_IMAGE, 1, 3, ys), none = image_of (FV_I32, FV_IMAGE, 1, 3, row + 1);
  g_autoptr (Image) bytes = image_of (FV_U8, FV_IMAGE, 1, 4, row);
  CallResult result;
  g_assert_true (reconstruct ("reconstruct", x, y, b, device, &result, NULL));
  g_assert_cmpfloat (image_value (result.images[0], 0, 0, 0), ==, (8 + 1) / 2.);
  g_assert_cmpfloat (image_value (result.images[0], 0, 0, 1), ==, (8 + 1) / 2.);
  g_assert_cmpfloat (image_value (result.images[0], 0, 0, 2), ==, 2);
  call_result_clear (&result);
  g_assert_true (reconstruct ("reconstruct", x, none, b, device, &result, NULL));
  g_assert_true (isnan (image_value (result.images[0], 0, 0, 1)));
  call_result_clear (&result);
  g_assert_true (reconstruct ("reconstruct", x, none, bytes, device, &result, NULL));
  g_assert_cmpfloat (image_value (result.images[0], 0, 0, 1), ==, 0);
  call_result_clear (&result);
}

static void
assert_refused (Image *x, Image *y, Image *patches, const char *field)
{
  g_autoptr (GError) error = NULL;
  CallResult result;
  g_assert_false (
    reconstruct ("reconstruct", x, y, patches, modules_device (test_modules (), "cpu", NULL), &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, field);
}

static void
test_refused (void)
{
  g_autoptr (Image) three = image_random (FV_I32, FV_IMAGE, 1, 3, 4, 4, 1),
                    two = image_random (FV_I32, FV_IMAGE, 1, 2, 4, 4, 1);
  g_autoptr (Image) wide = image_random (FV_I32, FV_IMAGE, 1, 3, 4, 5, 1),
                    rgb = image_random (FV_I32, FV_IMAGE, 3, 1, 4, 4, 1);
  assert_refused (rgb, rgb, three, "x");
  assert_refused (three, two, three, "y");
  assert_refused (three, wide, three, "y");
  assert_refused (three, rgb, three, "y");
  assert_refused (three, three, two, "patches");
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/reconstruct/itself", test_itself);
  add_device_test ("/reconstruct/by-hand", test_by_hand);
  g_test_add_func ("/reconstruct/refused", test_refused);
  return g_test_run ();
}
