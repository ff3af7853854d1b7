/* SPDX-License-Identifier: MIT
 *
 * convert: what an image is then, and ranges that are none.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

static void
test_roles (Device *device)
{
  static const struct {
    const char *step;
    fv_type from, to;
    fv_role was, is;
  } cases[] = {{"convert type=u8", FV_U8, FV_U8, FV_RGB, FV_RGB},
               {"convert type=f32", FV_U8, FV_F32, FV_RGB, FV_IMAGE},
               {"convert type=u8", FV_U8, FV_U8, FV_MASK, FV_MASK},
               {"convert type=u8 scale=range high=9", FV_U8, FV_U8, FV_MASK, FV_IMAGE},
               {"convert type=i32", FV_I32, FV_I32, FV_LABELS, FV_LABELS},
               {"convert type=u16", FV_I32, FV_U16, FV_LABELS, FV_IMAGE}};
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Image) image = image_random (cases[i].from, cases[i].was, 3, 1, 5, 7, i);
    CallResult result;
    run_step (cases[i].step, image, NULL, device, &result, NULL);
    g_assert_cmpint (image_info (result.images[0])->type, ==, cases[i].to);
    g_assert_cmpint (image_info (result.images[0])->role, ==, cases[i].is);
    call_result_clear (&result);
  }
}

/* The ends of the range, what is beyond them, and a half, which goes to the even number. */
static void
test_range (Device *device)
{
  static const double values[] = {-5, 10, 20, 15, 99, 10.5}, wanted[] = {0, 0, 255, 128, 255, 13};
  g_autoptr (Image) image = image_of (FV_F32, FV_IMAGE, 1, 6, values);
  CallResult result;
  run_step ("convert type=u8 scale=range low=10 high=20", image, NULL, device, &result, NULL);
  for (gint64 x = 0; x < 6; x++)
    g_assert_cmpfloat (image_value (result.images[0], 0, 0, x), ==, wanted[x]);
  call_result_clear (&result);
}

static void
test_wrong (Device *device)
{
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 1, 1, 5, 7, 1);
  g_autoptr (GError) error = NULL;
  CallResult result;
  g_assert_false (run_step ("convert scale=range low=9 high=9", image, NULL, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "high");
}

/* Rows for as many channels as there are, each with a range. */
static void
test_wrong_limits (Device *device)
{
  static const char *const limits[] = {"1 2; 3 4", "1 2 3", "1", "1 2; 4 4; 1 2", "1 2; 3 4; 9 8", "1 2 / 3 4"};
  g_autoptr (Image) image = image_random (FV_U16, FV_IMAGE, 3, 1, 5, 7, 1);
  for (guint i = 0; i < G_N_ELEMENTS (limits); i++) {
    g_autofree char *step = g_strdup_printf ("convert type=u8 scale=range limits='%s'", limits[i]);
    g_autoptr (GError) error = NULL;
    CallResult result;
    g_test_message ("%s", step);
    g_assert_false (run_step (step, image, NULL, device, &result, &error));
    g_assert_cmpstr (step_error_field (error), ==, "limits");
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/convert/roles", test_roles);
  add_device_test ("/convert/range", test_range);
  add_device_test ("/convert/wrong", test_wrong);
  add_device_test ("/convert/wrong-limits", test_wrong_limits);
  return g_test_run ();
}
