/* SPDX-License-Identifier: MIT
 *
 * Add Noise: how its numbers are distributed, against chances worked out one from the other, and what they depend on.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

#include <math.h>

enum { SIDE = 400, PIXELS = SIDE * SIDE };

static Image *
noisy (const char *step, Image *image, Device *device)
{
  CallResult result;
  run_step (step, image, NULL, device, &result, NULL);
  Image *made = image_ref (result.images[0]);
  call_result_clear (&result);
  return made;
}

static Image *
even (fv_type type, double value, Device *device)
{
  g_autofree char *step = g_strdup_printf ("smooth_field mean=%g amplitude=0", value);
  g_autoptr (Image) like = image_random (type, FV_IMAGE, 1, 1, SIDE, SIDE, 1);
  return noisy (step, like, device);
}

/* Mean and variance, within five standard errors. */
static void
check_moments (Image *image, double mean, double variance, double fourth)
{
  double sum = 0, squares = 0;
  for (int i = 0; i < PIXELS; i++) {
    double d = image_value (image, 0, i / SIDE, i % SIDE) - mean;
    sum += d;
    squares += d * d;
  }
  g_assert_cmpfloat (fabs (sum / PIXELS), <, 5 * sqrt (variance / PIXELS));
  g_assert_cmpfloat (fabs (squares / PIXELS / variance - 1), <, 5 * sqrt ((fourth - 1) / PIXELS));
}

/* Chi square of the counts of photons: at most so many standard deviations above its mean. */
static void
check_chances (Image *image, double mean)
{
  enum { MAXIMUM = 2000 };
  int counts[MAXIMUM] = {0};
  double chance = exp (-mean / 2), square = 0, bins = 0;
  chance *= chance;
  for (int i = 0; i < PIXELS; i++)
    counts[(int) image_value (image, 0, i / SIDE, i % SIDE)]++;
  for (int k = 0; k < MAXIMUM - 1; k++, chance *= mean / k) {
    const double expected = chance * PIXELS;
    if (expected < 10)
      continue;
    bins++;
    square += (counts[k] - expected) * (counts[k] - expected) / expected;
  }
  g_assert_cmpfloat (bins, >, 3);
  g_assert_cmpfloat (square, <, bins + 5 * sqrt (2 * bins));
}

static void
test_photons (Device *device)
{
  static const double means[] = {0.7, 4, 9.99, 10, 37, 600};
  for (guint i = 0; i < G_N_ELEMENTS (means); i++) {
    g_autoptr (Image) image = even (FV_F64, means[i], device);
    g_autoptr (Image) counted = noisy ("noise method=poisson", image, device);
    check_chances (counted, image_value (image, 0, 0, 0));
    check_moments (counted, image_value (image, 0, 0, 0), means[i], 3 + 1 / means[i]);
  }
  /* Many: by rejection, and by a normal number. */
  g_autoptr (Image) million = even (FV_F32, 1e6, device), billions = even (FV_F32, 1e10, device);
  g_autoptr (Image) some = noisy ("noise method=poisson", million, device),
                    max = noisy ("noise method=poisson photons=100", million, device);
  g_autoptr (Image) normal = noisy ("noise method=poisson", billions, device);
  check_moments (some, 1e6, 1e6, 3);
  check_moments (max, 1e6, 1e4, 3);
  check_moments (normal, 1e10, 1e10, 3);
}

static void
test_shares (Device *device)
{
  g_autoptr (Image) gray = even (FV_F32, 0.5, device);
  g_autoptr (Image) gaussian = noisy ("noise sigma=3", gray, device);
  g_autoptr (Image) salted = noisy ("noise method=salt_and_pepper density=20", gray, device);
  double black = 0, white = 0;
  check_moments (gaussian, 0.5, 9, 3);
  for (int i = 0; i < PIXELS; i++) {
    double v = image_value (salted, 0, i / SIDE, i % SIDE);
    black += v == 0;
    white += v == 1;
    g_assert_true (v == 0 || v == image_value (gray, 0, i / SIDE, i % SIDE) || v == 1);
  }
  g_assert_cmpfloat (fabs (black / PIXELS - 0.1), <, 5 * sqrt (0.09 / PIXELS));
  g_assert_cmpfloat (fabs (white / PIXELS - 0.1), <, 5 * sqrt (0.09 / PIXELS));
}

/* Planes and seeds differ, runs do not. */
static void
test_depends (Device *device)
{
  g_autoptr (Image) flat = even (FV_F32, 50, device);
  g_autoptr (Image) like = image_random (FV_U8, FV_IMAGE, 1, 2, 30, 40, 1);
  g_autoptr (Image) stack = noisy ("smooth_field mean=50 amplitude=0", like, device);
  g_autoptr (Image) once = noisy ("noise", stack, device), again = noisy ("noise", stack, device),
                    other = noisy ("noise seed=2", stack, device);
  g_assert_cmpfloat (image_value (once, 1, 20, 30), ==, image_value (again, 1, 20, 30));
  g_assert_cmpfloat (image_value (once, 0, 20, 30), !=, image_value (once, 1, 20, 30));
  g_assert_cmpfloat (image_value (once, 0, 20, 30), !=, image_value (other, 0, 20, 30));
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/noise/photons", test_photons);
  add_device_test ("/noise/shares", test_shares);
  add_device_test ("/noise/depends", test_depends);
  return g_test_run ();
}
