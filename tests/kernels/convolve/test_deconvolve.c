/* SPDX-License-Identifier: MIT
 *
 * deconvolve: a function of one point changes nothing, the sum stays where the image is repeated, a blurred point becomes sharper, and Wiener's
 * filter without regularization inverts a blur. Missing parameters are errors.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

#include <math.h>

static void
test_point (Device *device)
{
  g_autoptr (Image) image = image_random (FV_F32, FV_IMAGE, 1, 2, 13, 17, 3);
  CallResult result;
  run_step ("deconvolve shape=matrix matrix='0 0 0; 0 3 0; 0 0 0' iterations=4", image, NULL, device, &result, NULL);
  for (int y = 0; y < 13; y++)
    for (int x = 0; x < 17; x++)
      g_assert_cmpfloat_with_epsilon (image_value (result.images[0], 1, y, x), image_value (image, 1, y, x),
                                      1e-5 * fabs (image_value (image, 1, y, x)));
  call_result_clear (&result);
}

static double
sum_of (Image *image)
{
  double sum = 0;
  for (int y = 0; y < 16; y++)
    for (int x = 0; x < 32; x++)
      sum += image_value (image, 0, y, x);
  return sum;
}

static void
test_light (Device *device)
{
  g_autoptr (Image) image = image_random (FV_U16, FV_IMAGE, 1, 1, 16, 32, 8);
  CallResult result;
  run_step ("deconvolve shape=matrix matrix='1 5 2; 0 7 1; 4 0 0' boundary=wrap iterations=7", image, NULL, device,
            &result, NULL);
  g_assert_cmpfloat_with_epsilon (sum_of (result.images[0]), sum_of (image), 1e-4 * sum_of (image));
  call_result_clear (&result);
}

/* 100 in the middle, blurred by 1 2 1 both ways. */
static void
test_sharper (Device *device)
{
  double values[49] = {0};
  CallResult result;
  for (int y = -1; y <= 1; y++)
    for (int x = -1; x <= 1; x++)
      values[(3 + y) * 7 + 3 + x] = 100.0 / 16 * (2 - abs (y)) * (2 - abs (x));
  g_autoptr (Image) image = image_of (FV_F64, FV_IMAGE, 7, 7, values);
  run_step ("deconvolve shape=matrix iterations=200", image, NULL, device, &result, NULL);
  g_assert_cmpfloat (image_value (result.images[0], 0, 3, 3), >, 90);
  g_assert_cmpfloat (image_value (result.images[0], 0, 3, 4), <, 3);
  call_result_clear (&result);
}

/* With next to no balance a blurred point that goes round comes back; with much of it only the mean is left of a ramp. */
static void
test_wiener (Device *device)
{
  double values[49] = {0};
  CallResult result;
  for (int y = -1; y <= 1; y++)
    for (int x = -1; x <= 1; x++)
      values[(3 + y) * 7 + 3 + x] = 100.0 / 16 * (2 - abs (y)) * (2 - abs (x));
  g_autoptr (Image) image = image_of (FV_F64, FV_IMAGE, 7, 7, values);
  run_step ("deconvolve method=wiener shape=matrix balance=1e-9 boundary=wrap", image, NULL, device, &result, NULL);
  for (int i = 0; i < 49; i++)
    g_assert_cmpfloat_with_epsilon (image_value (result.images[0], 0, i / 7, i % 7), i == 24 ? 100 : 0, 0.5);
  call_result_clear (&result);
  run_step ("deconvolve method=wiener shape=matrix balance=1e9 boundary=wrap", image, NULL, device, &result, NULL);
  for (int i = 0; i < 49; i++)
    g_assert_cmpfloat_with_epsilon (image_value (result.images[0], 0, i / 7, i % 7), 100.0 / 49, 1e-6);
  call_result_clear (&result);
}

static void
test_wrong (Device *device)
{
  static const char *const wrong[][2] = {{"deconvolve shape=image", "kernel"},
                                         {"deconvolve shape=matrix matrix='1 1 / 1 1'", "matrix"},
                                         {"deconvolve sigma=30 volume=yes", "sigma"},
                                         {"deconvolve method=wiener shape=image", "kernel"},
                                         {"deconvolve method=wiener sigma=25 boundary=nearest volume=yes", "sigma"}};
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 1, 90, 99, 91, 1);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (GError) error = NULL;
    CallResult result;
    g_assert_false (run_step (wrong[i][0], image, NULL, device, &result, &error));
    g_assert_cmpstr (step_error_field (error), ==, wrong[i][1]);
  }
}

static Image *
of_size (double pixel, const char *unit)
{
  ImageInfo info = {.type = FV_F32,
                    .frames = 1,
                    .channels = 1,
                    .depth = 1,
                    .rows = 33,
                    .columns = 33,
                    .spacing = {pixel, pixel, pixel},
                    .units = {(char *) unit, (char *) unit, (char *) unit}};
  g_autoptr (GError) error = NULL;
  Image *image = image_new (&info, &error);
  g_assert_no_error (error);
  memset (image_pixels (image), 0, sizeof (float) * 33 * 33);
  ((float *) image_pixels (image))[16 * 33 + 16] = 1000;
  return image;
}

/* A point stays in the middle and keeps its light; without a scale, and of volumes, the function is not known. */
static void
test_microscope (Device *device)
{
  static const struct {
    double pixel;
    const char *unit, *step, *field, *says;
  } wrong[] = {{1, "", "deconvolve shape=airy", "shape", "has no scale"},
               {1, "s", "deconvolve shape=airy", "shape", "in s, and"},
               {0.1, "µm", "deconvolve shape=airy volume=yes", "volume", "turn 3-D off"},
               {0.1, "nm", "deconvolve shape=airy", "na", "farther than 255 pixels"}};
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (Image) image = of_size (wrong[i].pixel, wrong[i].unit);
    g_autoptr (GError) error = NULL;
    CallResult result;
    g_assert_false (run_step (wrong[i].step, image, NULL, device, &result, &error));
    g_assert_cmpstr (step_error_field (error), ==, wrong[i].field);
    g_assert_nonnull (strstr (error->message, wrong[i].says));
  }
  g_autoptr (Image) image = of_size (0.1, "µm");
  CallResult result;
  double sum = 0;
  run_step ("deconvolve shape=airy na=1.2 boundary=wrap", image, NULL, device, &result, NULL);
  for (int y = 0; y < 33; y++)
    for (int x = 0; x < 33; x++)
      sum += image_value (result.images[0], 0, y, x);
  g_assert_cmpfloat_with_epsilon (sum, 1000, 0.1);
  g_assert_cmpfloat (image_value (result.images[0], 0, 16, 16), >, 900);
  call_result_clear (&result);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/deconvolve/point", test_point);
  add_device_test ("/deconvolve/light", test_light);
  add_device_test ("/deconvolve/sharper", test_sharper);
  add_device_test ("/deconvolve/wiener", test_wiener);
  add_device_test ("/deconvolve/microscope", test_microscope);
  add_device_test ("/deconvolve/wrong", test_wrong);
  return g_test_run ();
}
