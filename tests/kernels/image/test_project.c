/* SPDX-License-Identifier: MIT
 *
 * project: what is left of each axis, what the planes of all times are for one call, and ranges that are not there.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

#include <math.h>

/* 2 frames, 3 channels, 4 slices; each pixel is 100 t + 10 c + z. */
static Image *
counted (fv_type type, fv_role role)
{
  g_autoptr (GError) error = NULL;
  ImageInfo info = {.type = type,
                    .role = role,
                    .frames = 2,
                    .channels = 3,
                    .depth = 4,
                    .rows = 2,
                    .columns = 5,
                    .spacing = {3, 1, 1},
                    .units = {(char *) "µm", (char *) "µm", (char *) "µm"}};
  Image *image = image_new (&info, &error);
  guint8 *pixels = image_pixels (image);
  g_assert_no_error (error);
  for (int p = 0; p < 24; p++)
    memset (pixels + 10 * p, 100 * (p / 12) + 10 * (p / 4 % 3) + p % 4, 10);
  return image;
}

static void
check (Device *device, const char *step, fv_role role, gint64 frames, gint64 channels, gint64 depth, fv_role becomes,
       const double *values)
{
  g_autoptr (Image) image = counted (FV_U8, role);
  CallResult result;
  run_step (step, image, NULL, device, &result, NULL);
  const ImageInfo *info = image_info (result.images[0]);
  g_assert_cmpint (info->frames, ==, frames);
  g_assert_cmpint (info->channels, ==, channels);
  g_assert_cmpint (info->depth, ==, depth);
  g_assert_cmpint (info->role, ==, becomes);
  g_assert_cmpfloat (info->spacing[0], ==, 3);
  for (gint64 p = 0; p < frames * channels * depth; p++)
    g_assert_cmpfloat (image_value (result.images[0], p, 1, 4), ==, values[p]);
  call_result_clear (&result);
}

static void
test_axes (Device *device)
{
  static const double z[] = {3, 13, 23, 103, 113, 123}, c[] = {0, 1, 2, 3, 100, 101, 102, 103},
                      t[] = {50, 51, 52, 53, 60, 61, 62, 63, 70, 71, 72, 73}, part[] = {3, 23, 43, 203, 223, 243};
  check (device, "project", FV_IMAGE, 2, 3, 1, FV_IMAGE, z);
  check (device, "project axis=c method=min", FV_IMAGE, 2, 1, 4, FV_IMAGE, c);
  check (device, "project axis=t method=mean", FV_IMAGE, 1, 3, 4, FV_IMAGE, t);
  check (device, "project method=sum first=1 count=2", FV_IMAGE, 2, 3, 1, FV_IMAGE, part);
}

static void
test_roles (Device *device)
{
  static const double z[] = {3, 13, 23, 103, 113, 123}, c[] = {20, 21, 22, 23, 120, 121, 122, 123};
  check (device, "project", FV_RGB, 2, 3, 1, FV_RGB, z);
  check (device, "project axis=c", FV_RGB, 2, 1, 4, FV_IMAGE, c);
  check (device, "project", FV_MASK, 2, 3, 1, FV_MASK, z);
  check (device, "project method=median output=same first=3", FV_MASK, 2, 3, 1, FV_IMAGE, z);
}

static void
test_wrong (Device *device)
{
  static const char *const wrong[][2] = {{"project first=4", "first"},
                                         {"project axis=t first=2", "first"},
                                         {"project axis=c count=4", "count"},
                                         {"project first=2 count=3", "count"}};
  g_autoptr (Image) image = counted (FV_U8, FV_IMAGE);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (GError) error = NULL;
    CallResult result;
    g_assert_false (run_step (wrong[i][0], image, NULL, device, &result, &error));
    g_assert_cmpstr (step_error_field (error), ==, wrong[i][1]);
  }
}

/* One plane has no deviation from itself, and as a sample none that could be known. */
static void
test_one_plane (Device *device)
{
  g_autoptr (Image) image = image_random (FV_F32, FV_IMAGE, 1, 1, 3, 4, 9);
  CallResult result;
  run_step ("project method=sd", image, NULL, device, &result, NULL);
  g_assert_cmpfloat (image_value (result.images[0], 0, 1, 1), ==, 0);
  call_result_clear (&result);
  run_step ("project method=sd ddof=1", image, NULL, device, &result, NULL);
  g_assert_true (isnan (image_value (result.images[0], 0, 1, 1)));
  call_result_clear (&result);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/project/axes", test_axes);
  add_device_test ("/project/roles", test_roles);
  add_device_test ("/project/wrong", test_wrong);
  add_device_test ("/project/one-plane", test_one_plane);
  return g_test_run ();
}
