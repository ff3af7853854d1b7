/* SPDX-License-Identifier: MIT
 *
 * What keeps edges: bilateral and anisotropic leave a high step as it is, and are linear filters where all differences are small.
 */
#include "tests/support/support.h"

#include <math.h>

enum { SIDE = 25 };

static Image *
image_with (fv_type type, double left, double right, double dot)
{
  double values[SIDE * SIDE];
  for (int i = 0; i < SIDE * SIDE; i++)
    values[i] = i % SIDE < SIDE / 2 ? left : right;
  values[SIDE * (SIDE / 2) + SIDE / 2] += dot;
  return image_of (type, FV_IMAGE, SIDE, SIDE, values);
}

static void
test_edge_stays (Device *device)
{
  static const char *const steps[] = {"bilateral sigma=2 sigma_range=3", "anisotropic contrast=3 iterations=20"};
  const fv_type types[] = {FV_U8, FV_F32, FV_F64};
  for (guint s = 0; s < G_N_ELEMENTS (steps); s++)
    for (guint t = 0; t < G_N_ELEMENTS (types); t++) {
      g_autoptr (Image) image = image_with (types[t], 10, 200, 0);
      CallResult result;
      run_step (steps[s], image, NULL, device, &result, NULL);
      for (int i = 0; i < SIDE * SIDE; i++)
        g_assert_cmpfloat_with_epsilon (image_value (result.images[0], 0, i / SIDE, i % SIDE),
                                        i % SIDE < SIDE / 2 ? 10 : 200, 1e-4);
      call_result_clear (&result);
    }
}

/* With a wide range all weights are spatial: an impulse gives the Gaussian within the square of three sigma. */
static void
test_impulse (Device *device)
{
  g_autoptr (Image) image = image_with (FV_F64, 0, 0, 1);
  CallResult result;
  double sum = 0;
  for (int i = -6; i <= 6; i++)
    sum += exp (-i * i / 8.0);
  run_step ("bilateral sigma=2 sigma_range=1e8", image, NULL, device, &result, NULL);
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++) {
      int u = ABS (x - SIDE / 2), v = ABS (y - SIDE / 2);
      double want = u > 6 || v > 6 ? 0 : exp (-(u * u + v * v) / 8.0) / (sum * sum);
      g_assert_cmpfloat_with_epsilon (image_value (result.images[0], 0, y, x), want, 1e-12);
    }
  call_result_clear (&result);
}

/* A step of diffusion gives each neighbor that part. */
static void
test_one_step (Device *device)
{
  g_autoptr (Image) image = image_with (FV_F64, 0, 0, 1);
  CallResult result;
  run_step ("anisotropic contrast=1e8 iterations=1 step=0.125", image, NULL, device, &result, NULL);
  g_assert_cmpfloat_with_epsilon (image_value (result.images[0], 0, SIDE / 2, SIDE / 2), 0.5, 1e-12);
  g_assert_cmpfloat_with_epsilon (image_value (result.images[0], 0, SIDE / 2 - 1, SIDE / 2), 0.125, 1e-12);
  g_assert_cmpfloat_with_epsilon (image_value (result.images[0], 0, SIDE / 2, SIDE / 2 + 1), 0.125, 1e-12);
  g_assert_cmpfloat (image_value (result.images[0], 0, SIDE / 2 + 1, SIDE / 2 + 1), ==, 0);
  call_result_clear (&result);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/bilateral/edge-stays", test_edge_stays);
  add_device_test ("/bilateral/impulse", test_impulse);
  add_device_test ("/bilateral/one-step", test_one_step);
  return g_test_run ();
}
