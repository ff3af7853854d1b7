/* SPDX-License-Identifier: MIT
 *
 * local_threshold, contrast and midgrey, of a row by hand.
 */
#include "tests/support/support.h"

#include <math.h>

static void
check (Device *device, const char *step, fv_type type, const double pixels[8], const double expected[8])
{
  g_autoptr (Image) image = image_of (type, FV_IMAGE, 1, 8, pixels), mask = image_of (FV_U8, FV_MASK, 1, 8, expected);
  CallResult result;
  run_step (step, image, NULL, device, &result, NULL);
  assert_images_equal (result.images[0], mask);
  call_result_clear (&result);
}

/* Half way up is foreground, even ground is not. */
static void
test_contrast (Device *device)
{
  const double pixels[] = {5, 5, 5, 6, 7, 9, 9, 9};
  check (device, "local_threshold method=contrast radius=1", FV_U16, pixels,
         (const double[]){0, 0, 0, 255, 0, 255, 0, 0});
}

/* The middles are 5 5 5.5 6 7.5 8 9 9. */
static void
test_midgrey (Device *device)
{
  const double pixels[] = {5, 5, 5, 6, 7, 9, 9, 9};
  check (device, "local_threshold method=midgrey radius=1", FV_U8, pixels, (const double[]){0, 0, 0, 0, 0, 255, 0, 0});
  check (device, "local_threshold method=midgrey radius=1 offset=0.5", FV_F64, pixels,
         (const double[]){255, 255, 0, 255, 0, 255, 255, 255});
}

/* Nothing around NaN is foreground. */
static void
test_nan (Device *device)
{
  const double pixels[] = {0, 5, NAN, 6, 7, 9, 0, 9};
  check (device, "local_threshold method=contrast radius=1", FV_F32, pixels,
         (const double[]){0, 0, 0, 0, 0, 255, 0, 255});
  check (device, "local_threshold method=midgrey radius=1", FV_F32, pixels,
         (const double[]){0, 0, 0, 0, 0, 255, 0, 255});
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/local_threshold/contrast", test_contrast);
  add_device_test ("/local_threshold/midgrey", test_midgrey);
  add_device_test ("/local_threshold/nan", test_nan);
  return g_test_run ();
}
