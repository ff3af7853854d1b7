/* SPDX-License-Identifier: MIT
 *
 * Gaussian: an impulse gives the normalized samples of the curve, a constant stays, a ramp stays away from its ends, physical
 * units divide by the pixel size.
 */
#include "core/base/error.h"
#include "core/base/parallel.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

enum { N = 41 };

static Image *
impulse (fv_type type, double value)
{
  g_autofree double *values = g_new0 (double, N *N);
  values[N * (N / 2) + N / 2] = value;
  return image_of (type, FV_IMAGE, N, N, values);
}

static void
test_impulse (Device *device)
{
  g_autoptr (Image) image = impulse (FV_F64, 1);
  CallResult result;
  double weights[9], sum = 0;
  run_step ("gaussian sigma=2", image, NULL, device, &result, NULL);
  for (int i = -8; i <= 8; i++)
    sum += exp (-i * i / 8.0);
  for (int i = 0; i <= 8; i++)
    weights[i] = exp (-i * i / 8.0) / sum;
  for (int y = 0; y < N; y++)
    for (int x = 0; x < N; x++) {
      int v = abs (y - N / 2), u = abs (x - N / 2);
      double want = v > 8 || u > 8 ? 0 : weights[v] * weights[u];
      g_assert_cmpfloat_with_epsilon (image_value (result.images[0], 0, y, x), want, 1e-15);
    }
  call_result_clear (&result);
}

static void
test_constant (Device *device)
{
  static const char *const steps[] = {"gaussian sigma=3", "gaussian sigma=3 border=wrap",
                                      "gaussian sigma=3 border=mirror", "gaussian sigma=3 border=reflect",
                                      "gaussian sigma=3 border=constant value=200"};
  double values[7 * 5];
  for (int i = 0; i < 35; i++)
    values[i] = 200;
  for (guint s = 0; s < G_N_ELEMENTS (steps); s++) {
    g_autoptr (Image) image = image_of (FV_U8, FV_IMAGE, 7, 5, values);
    CallResult result;
    run_step (steps[s], image, NULL, device, &result, NULL);
    for (int i = 0; i < 35; i++)
      g_assert_cmpfloat_with_epsilon (image_value (result.images[0], 0, i / 5, i % 5), 200, 1e-4);
    call_result_clear (&result);
  }
}

static void
test_same_type_rounds (Device *device)
{
  g_autoptr (Image) image = impulse (FV_U8, 255);
  CallResult exact, rounded;
  run_step ("gaussian sigma=1", image, NULL, device, &exact, NULL);
  run_step ("gaussian sigma=1 output=same", image, NULL, device, &rounded, NULL);
  g_assert_cmpint (image_info (rounded.images[0])->type, ==, FV_U8);
  for (int y = 0; y < N; y++)
    for (int x = 0; x < N; x++)
      g_assert_cmpfloat (image_value (rounded.images[0], 0, y, x), ==,
                         nearbyint (image_value (exact.images[0], 0, y, x)));
  call_result_clear (&exact);
  call_result_clear (&rounded);
}

/* Once, at the end, and not after the pass along z. */
static void
test_volume_rounds_once (Device *device)
{
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 1, 7, 23, 29, 5);
  CallResult exact, rounded;
  run_step ("gaussian sigma=2 volume=yes", image, NULL, device, &exact, NULL);
  run_step ("gaussian sigma=2 volume=yes output=same", image, NULL, device, &rounded, NULL);
  for (int i = 0; i < 7 * 23 * 29; i++) {
    double value = image_value (exact.images[0], i / (23 * 29), i / 29 % 23, i % 29);
    g_assert_cmpfloat_with_epsilon (image_value (rounded.images[0], i / (23 * 29), i / 29 % 23, i % 29), value, 0.5001);
  }
  call_result_clear (&exact);
  call_result_clear (&rounded);
}

/* Bright rows through all planes at the boundaries of the threads' parts of a plane: rows that were blurred along z are not read after they were
 * overwritten. One thread does the parts one after the other. */
static void
test_volume_in_parts (Device *device)
{
  enum { PLANES = 3, ROWS = 400, COLUMNS = 20 };
  g_autofree double *values = g_new0 (double, PLANES *ROWS *COLUMNS);
  double weights[9], sum = 0;
  CallResult result;
  for (int i = 0; i < PLANES * ROWS * COLUMNS; i++)
    values[i] = i / COLUMNS % ROWS % 128 == 127;
  for (int i = -8; i <= 8; i++)
    sum += exp (-i * i / 8.0);
  for (int i = 0; i <= 8; i++)
    weights[i] = exp (-i * i / 8.0) / sum;
  g_autoptr (Image) image = image_of_planes (FV_F32, FV_IMAGE, 1, PLANES, ROWS, COLUMNS, values);
  parallel_limit_operations (1);
  run_step ("gaussian sigma=0.3,2,2 volume=yes", image, NULL, device, &result, NULL);
  parallel_limit_operations (0);
  for (int i = 0; i < PLANES * ROWS * COLUMNS; i++) {
    int y = i / COLUMNS % ROWS, away = abs ((y + 64) % 128 - 63); /* rows to the nearest bright one */
    g_assert_cmpfloat_with_epsilon (image_value (result.images[0], i / (ROWS * COLUMNS), y, i % COLUMNS),
                                    away > 8 || y < 64 ? 0 : weights[away], 1e-6);
  }
  call_result_clear (&result);
}

static void
test_physical_units (Device *device)
{
  g_autoptr (Image) image = impulse (FV_F64, 1), calibrated = NULL;
  ImageInfo info;
  CallResult pixels, physical;
  image_info_copy (&info, image_info (image));
  info.spacing[1] = 0.5;
  info.spacing[2] = 0.25;
  for (int axis = 0; axis < 3; axis++) {
    g_free (info.units[axis]);
    info.units[axis] = g_strdup ("µm");
  }
  calibrated = image_with_info (image, &info);
  image_info_clear (&info);
  run_step ("gaussian sigma=2,4", image, NULL, device, &pixels, NULL);
  run_step ("gaussian sigma=1 units=physical", calibrated, NULL, device, &physical, NULL);
  assert_images_equal (pixels.images[0], physical.images[0]);
  call_result_clear (&pixels);
  call_result_clear (&physical);
}

static void
test_three_sigmas_need_a_volume (Device *device)
{
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 1, 3, 9, 9, 1);
  g_autoptr (GError) error = NULL;
  CallResult result;
  g_assert_false (run_step ("gaussian sigma=1,2,3", image, NULL, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "sigma");
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/gaussian/impulse", test_impulse);
  add_device_test ("/gaussian/constant", test_constant);
  add_device_test ("/gaussian/same-type-rounds", test_same_type_rounds);
  add_device_test ("/gaussian/volume-rounds-once", test_volume_rounds_once);
  add_device_test ("/gaussian/volume-in-parts", test_volume_in_parts);
  add_device_test ("/gaussian/physical-units", test_physical_units);
  add_device_test ("/gaussian/three-sigmas-need-a-volume", test_three_sigmas_need_a_volume);
  return g_test_run ();
}
