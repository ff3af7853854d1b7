/* SPDX-License-Identifier: MIT
 *
 * Random Shading: none, there and back, and the field that it says it uses.
 */
#include "tests/support/support.h"

static void
test_none (Device *device)
{
  for (guint type = FV_U8; type <= FV_F64; type <<= 1) {
    g_autoptr (Image) image = image_random ((fv_type) type, FV_IMAGE, 2, 2, 13, 17, 3);
    CallResult result;
    run_step ("shading amplitude=0", image, NULL, device, &result, NULL);
    g_assert_cmpint (image_info (result.images[0])->type, ==, type);
    for (int plane = 0; plane < 4; plane++)
      for (int i = 0; i < 13 * 17; i++) {
        double v = image_value (image, plane, i / 17, i % 17);
        g_assert_cmpfloat_with_epsilon (image_value (result.images[0], plane, i / 17, i % 17), v,
                                        1e-6 * ABS (v) + 1e-9);
      }
    call_result_clear (&result);
  }
}

/* Times the field of smooth_field, and over it; of bytes what is above 255 is 255. */
static void
test_field (Device *device)
{
  static const char field_step[] =
    "smooth_field mean=1 amplitude=0.4 distribution=uniform distance=7 seed=12 volume=yes";
  g_autoptr (Image) image = image_random (FV_F64, FV_IMAGE, 1, 4, 20, 30, 3),
                    bytes = image_random (FV_U8, FV_IMAGE, 1, 4, 20, 30, 3);
  CallResult field, times, over, clamped;
  run_step (field_step, image, NULL, device, &field, NULL);
  run_step ("shading amplitude=0.4 distance=7 seed=12 volume=yes", image, NULL, device, &times, NULL);
  run_step ("shading method=divide amplitude=0.4 distance=7 seed=12 volume=yes", times.images[0], NULL, device, &over,
            NULL);
  run_step ("shading amplitude=0.4 distance=7 seed=12 volume=yes", bytes, NULL, device, &clamped, NULL);
  for (int plane = 0; plane < 4; plane++)
    for (int y = 0; y < 20; y++)
      for (int x = 0; x < 30; x++) {
        double v = image_value (image, plane, y, x), f = image_value (field.images[0], plane, y, x);
        double whole = image_value (bytes, plane, y, x) * f;
        g_assert_cmpfloat_with_epsilon (image_value (times.images[0], plane, y, x), v * f, 1e-5 * ABS (v) + 1e-9);
        g_assert_cmpfloat_with_epsilon (image_value (over.images[0], plane, y, x), v, 1e-12 * ABS (v) + 1e-12);
        g_assert_cmpfloat_with_epsilon (image_value (clamped.images[0], plane, y, x), MIN (whole, 255), 0.501);
      }
  call_result_clear (&field);
  call_result_clear (&times);
  call_result_clear (&over);
  call_result_clear (&clamped);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/shading/none", test_none);
  add_device_test ("/shading/field", test_field);
  return g_test_run ();
}
