/* SPDX-License-Identifier: MIT
 *
 * Thresholds that can be worked out by hand.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

#include <math.h>

static void
check (const char *step, fv_type type, gint64 n, const double *values, double threshold, const double *mask,
       Device *device)
{
  g_autoptr (Image) image = image_of (type, FV_IMAGE, 1, n, values);
  CallResult result;
  run_step (step, image, NULL, device, &result, NULL);
  if (isnan (threshold))
    g_assert_true (isnan (result.scalars[0]));
  else
    g_assert_cmpfloat_with_epsilon (result.scalars[0], threshold, 1e-12);
  g_assert_cmpint (image_info (result.images[0])->type, ==, FV_U8);
  g_assert_cmpint (image_info (result.images[0])->role, ==, FV_MASK);
  for (gint64 i = 0; i < n; i++)
    g_assert_cmpfloat (image_value (result.images[0], 0, 0, i), ==, mask[i]);
  call_result_clear (&result);
}

static void
test_two_classes (Device *device)
{
  static const double values[] = {3, 3, 9, 9, 9}, mask[] = {0, 0, 255, 255, 255};
  check ("otsu", FV_U8, 5, values, 3, mask, device);
}

/* Integers have a bin for each value between the least and the greatest, wherever these are. */
static void
test_far_integers (Device *device)
{
  static const double values[] = {20000003, 20000003, 20000009, 20000009, 20000009}, mask[] = {0, 0, 255, 255, 255};
  static const double low[] = {-20000009, -20000009, -20000003}, low_mask[] = {0, 0, 255};
  check ("otsu", FV_I32, 5, values, 20000003, mask, device);
  check ("otsu", FV_I32, 3, low, -20000009, low_mask, device);
}

/* From the empty bin 1 to the peak of 100 in bin 4 bin 2 with its one pixel is farthest below the line: 100 * 1 - 3 * 1 against
 * 100 * 2 - 3 * 50. The threshold is the bin before it. */
static void
test_triangle_first_bin (Device *device)
{
  double values[151], mask[151];
  for (int i = 0; i < 151; i++) {
    values[i] = i < 1 ? 2 : i < 51 ? 3 : 4;
    mask[i] = 255;
  }
  check ("threshold method=imagej_triangle", FV_U8, 151, values, 1, mask, device);
}

/* A constant image has no foreground, by any method. */
static void
test_constant (Device *device)
{
  static const char *const methods[] = {"otsu",
                                        "li",
                                        "yen",
                                        "triangle",
                                        "isodata",
                                        "mean",
                                        "huang",
                                        "max_entropy",
                                        "imagej_default",
                                        "imagej_ij_isodata",
                                        "imagej_isodata",
                                        "imagej_li",
                                        "imagej_triangle",
                                        "imagej_minimum",
                                        "imagej_otsu",
                                        "imagej_huang",
                                        "imagej_max_entropy",
                                        "imagej_mean",
                                        "imagej_yen"};
  static const double sevens[] = {7, 7, 7}, tenths[] = {0.1, 0.1, 0.1}, nothing[] = {0, 0, 0};
  for (guint i = 0; i < G_N_ELEMENTS (methods); i++) {
    g_autofree char *step = g_strdup_printf ("threshold method=%s", methods[i]);
    check (step, FV_U16, 3, sevens, 7, nothing, device);
    check (step, FV_F64, 3, tenths, 0.1, nothing, device);
  }
}

static void
test_infinities (Device *device)
{
  const double values[] = {NAN, -INFINITY, INFINITY, 1, 2};
  static const double mask[] = {0, 0, 255, 0, 255};
  check ("otsu", FV_F64, 5, values, 1 + 1.0 / 512, mask, device);
}

static void
test_mean_of_extremes (Device *device)
{
  static const double values[] = {-2147483648.0, 2147483647.0, 0, 5, -7}, mask[] = {0, 255, 255, 255, 0};
  check ("threshold method=mean", FV_I32, 5, values, -0.6, mask, device);
}

/* Li's threshold is found in steps, which end when one is smaller than half the smallest difference of two floats, than 0.5 for
 * integers. The numbers are of skimage.filters.threshold_li. */
static void
test_li_ends (Device *device)
{
  static const struct {
    fv_type type;
    double factor, threshold, epsilon;
  } cases[] = {{FV_U8, 1, 31.91275247810227, 1e-12},   {FV_I32, 1, 31.91275247810227, 1e-12},
               {FV_F32, 1, 31.91275247810227, 1e-5},   {FV_F64, 1, 31.91275247810227, 1e-12},
               {FV_I32, 10, 301.5943556660341, 1e-10}, {FV_F64, 10, 319.1275247810227, 1e-10}};
  double values[200];
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    CallResult result;
    for (int k = 0; k < 200; k++)
      values[k] = cases[i].factor * (k * k % 24 * (k % 11));
    g_autoptr (Image) image = image_of (cases[i].type, FV_IMAGE, 1, 200, values);
    run_step ("threshold method=li", image, NULL, device, &result, NULL);
    g_assert_cmpfloat_with_epsilon (result.scalars[0], cases[i].threshold, cases[i].epsilon);
    call_result_clear (&result);
  }
}

static void
test_no_minimum (Device *device)
{
  double ramp[96], nothing[96] = {0};
  for (int i = 0; i < 96; i++)
    ramp[i] = i + 1;
  check ("threshold method=minimum", FV_U8, 96, ramp, NAN, nothing, device);
}

/* Means of three of the counts 2 2 6 1 3 are 6 10 9 10 7 thirds: two peaks, with the value 12 between them. */
static void
test_minimum (Device *device)
{
  static const double values[] = {10, 10, 11, 11, 12, 12, 12, 12, 12, 12, 13, 14, 14, 14};
  static const double mask[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255};
  check ("threshold method=minimum", FV_U8, 14, values, 12, mask, device);
}

/* ImageJ's default leaves out the values 0 and 255 of 8 bits, so that half of the way between 100 and 140 remains. */
static void
test_imagej_ends (Device *device)
{
  static const double values[] = {0, 0, 0, 0, 0, 100, 140, 255, 255}, mask[] = {0, 0, 0, 0, 0, 0, 255, 255, 255};
  check ("threshold method=imagej_ij_isodata", FV_U8, 9, values, 120, mask, device);
}

/* Half of f64's range is more than it can hold; the bins still have a width. */
static void
test_imagej_extremes (Device *device)
{
  static const double values[] = {-1.7e308, -1.7e308, -1.6e308, 1.7e308, 1.7e308}, mask[] = {0, 0, 0, 255, 255};
  g_autoptr (Image) image = image_of (FV_F64, FV_IMAGE, 1, 5, values);
  CallResult result;
  run_step ("threshold method=imagej_isodata", image, NULL, device, &result, NULL);
  for (gint64 i = 0; i < 5; i++)
    g_assert_cmpfloat (image_value (result.images[0], 0, 0, i), ==, mask[i]);
  call_result_clear (&result);
}

static void
test_manual (Device *device)
{
  static const double values[] = {4, 5, 6}, mask[] = {0, 255, 0};
  g_autoptr (Image) image = image_of (FV_U8, FV_IMAGE, 1, 3, values);
  g_autoptr (GError) error = NULL;
  CallResult result;
  run_step ("threshold method=manual lower=5 upper=5", image, NULL, device, &result, NULL);
  for (int i = 0; i < 3; i++)
    g_assert_cmpfloat (image_value (result.images[0], 0, 0, i), ==, mask[i]);
  call_result_clear (&result);
  g_assert_false (run_step ("threshold method=manual lower=6 upper=5", image, NULL, device, &result, &error));
  g_assert_true (g_str_equal (step_error_field (error), "lower") || g_str_equal (step_error_field (error), "upper"));
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/otsu/two-classes", test_two_classes);
  add_device_test ("/otsu/far-integers", test_far_integers);
  add_device_test ("/otsu/constant", test_constant);
  add_device_test ("/otsu/triangle-first-bin", test_triangle_first_bin);
  add_device_test ("/otsu/infinities", test_infinities);
  add_device_test ("/otsu/li-ends", test_li_ends);
  add_device_test ("/otsu/mean-of-extremes", test_mean_of_extremes);
  add_device_test ("/otsu/no-minimum", test_no_minimum);
  add_device_test ("/otsu/minimum", test_minimum);
  add_device_test ("/otsu/imagej-ends", test_imagej_ends);
  add_device_test ("/otsu/imagej-extremes", test_imagej_extremes);
  add_device_test ("/otsu/manual", test_manual);
  return g_test_run ();
}
