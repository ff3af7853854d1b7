/* SPDX-License-Identifier: MIT
 *
 * What is made of blurs, on images whose derivatives can be written down: hessian, log, dog and unsharp; and what is refused.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

enum { SIDE = 41, MIDDLE = SIDE / 2, DEPTH = 5 };

/* 3 x^2 + 2 x y + y^2 bends by the eigenvalues of ((6 2) (2 2)), 4 +- sqrt 8, wherever it is looked at; a Gaussian adds a constant. */
static Image *
bowl (fv_type type)
{
  g_autofree double *values = g_new (double, SIDE *SIDE);
  for (int i = 0; i < SIDE * SIDE; i++) {
    double x = i % SIDE - MIDDLE, y = i / SIDE - MIDDLE;
    values[i] = 3 * x * x + 2 * x * y + y * y;
  }
  return image_of (type, FV_IMAGE, SIDE, SIDE, values);
}

static void
assert_middle (Device *device, const char *step, fv_type type, double want)
{
  g_autoptr (Image) image = bowl (type);
  CallResult result;
  run_step (step, image, NULL, device, &result, NULL);
  g_assert_cmpfloat_with_epsilon (image_value (result.images[0], 0, MIDDLE, MIDDLE), want, 1e-4);
  call_result_clear (&result);
}

static void
test_bowl (Device *device)
{
  const fv_type types[] = {FV_U16, FV_F32, FV_F64};
  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    assert_middle (device, "hessian sigma=2 truncate=8 value_of=largest", types[i], 6.828427);
    assert_middle (device, "hessian sigma=2 truncate=8 value_of=smallest", types[i], 1.171573);
    assert_middle (device, "log sigma=2 truncate=8", types[i], 8);
    assert_middle (device, "log sigma=2 truncate=8 normalise=yes", types[i], 32); /* the older key of normalize */
    assert_middle (device, "dog sigma=1 high_sigma=2 truncate=8", types[i], 4 * (1 - 4)); /* 4 sigma^2 is added */
    assert_middle (device, "unsharp sigma=2 amount=0.5 truncate=8", types[i], -8);
  }
}

static void
assert_refused (Device *device, const char *step, const char *field)
{
  g_autoptr (Image) image = image_of_planes (FV_U8, FV_IMAGE, 1, DEPTH, 3, 3, NULL);
  g_autoptr (GError) error = NULL;
  CallResult result;
  g_assert_false (run_step (step, image, NULL, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, field);
}

static void
test_refused (Device *device)
{
  assert_refused (device, "hessian value_of=middle", "value_of");
  assert_refused (device, "hessian sigma=1,2 volume=yes", "sigma");
  assert_refused (device, "log sigma=1,2 volume=yes", "sigma");
  assert_refused (device, "dog sigma=3 high_sigma=2", "high_sigma");
  assert_refused (device, "dog sigma=1,2 high_sigma=1.5,1.5", "high_sigma");
  assert_refused (device, "dog sigma=1000 truncate=20 units=physical high_sigma=1,2,3", "high_sigma");
  assert_refused (device, "anisotropic step=0.2 volume=yes", "step");
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/hessian/bowl", test_bowl);
  add_device_test ("/hessian/refused", test_refused);
  return g_test_run ();
}
