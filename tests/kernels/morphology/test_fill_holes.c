/* SPDX-License-Identifier: MIT
 *
 * What works on the objects of a mask, and outlines, on pictures drawn by hand.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

#include <string.h>

/* Both pictures are masks: '.' is background. */
static void
check (const char *step, const char *const *picture, const char *const *expected, Device *device)
{
  gint64 rows = g_strv_length ((char **) picture), columns = (gint64) strlen (picture[0]);
  g_autofree double *values = g_new0 (double, rows *columns);
  g_autoptr (Image) image = NULL;
  CallResult result;
  for (gint64 i = 0; i < rows * columns; i++)
    values[i] = picture[i / columns][i % columns] == '#' ? 255 : 0;
  image = image_of (FV_U8, FV_MASK, rows, columns, values);
  run_step (step, image, NULL, device, &result, NULL);
  g_assert_cmpint (image_info (result.images[0])->role, ==, FV_MASK);
  for (gint64 i = 0; i < rows * columns; i++)
    g_assert_cmpfloat (image_value (result.images[0], 0, i / columns, i % columns), ==,
                       expected[i / columns][i % columns] == '#' ? 255 : 0);
  call_result_clear (&result);
}

static const char *const picture[] = {"####....", "#..#.###", "#..#.#.#", "####.##.", ".......#", "##......", NULL};

static void
test_holes (Device *device)
{
  static const char *const filled[] = {"####....", "####.###", "####.###", "####.##.", ".......#", "##......", NULL};
  static const char *const small[] = {"####....", "#..#.###", "#..#.###", "####.##.", ".......#", "##......", NULL};
  static const char *const by_corners[] = {"####....", "####.###", "####.#.#", "####.##.",
                                           ".......#", "##......", NULL};
  check ("fill_holes", picture, filled, device);
  check ("fill_holes max_size=3", picture, small, device);
  check ("fill_holes connectivity=8", picture, by_corners, device);
}

static void
test_objects (Device *device)
{
  static const char *const dots[] = {".....#", ".##...", ".##...", "....#.", "......", NULL};
  static const char *const inside[] = {"......", ".##...", ".##...", "....#.", "......", NULL};
  static const char *const large[] = {"......", ".##...", ".##...", "......", "......", NULL};
  static const char *const small[] = {".....#", "......", "......", "....#.", "......", NULL};
  check ("clear_border", dots, inside, device);
  check ("remove_small min_size=4", dots, large, device);
  check ("remove_large max_size=3", dots, small, device);
}

/* The border closes outlines, as in ImageJ. */
static void
test_outlines (Device *device)
{
  static const char *const block[] = {"#####..", "#####..", "#####..", "######.", "#####..", NULL};
  static const char *const eight[] = {"#####..", "#...#..", "#...#..", "#...##.", "#####..", NULL};
  static const char *const four[] = {"#####..", "#...#..", "#...#..", "#....#.", "#####..", NULL};
  check ("outline", block, eight, device);
  check ("outline connectivity=4", block, four, device);
}

static void
test_connectivity_must_fit (Device *device)
{
  static const char *const steps[] = {"fill_holes connectivity=26", "clear_border connectivity=6",
                                      "remove_small connectivity=8 volume=yes", "outline connectivity=18",
                                      "h_maxima connectivity=4 volume=yes"};
  g_autoptr (Image) image = image_random (FV_U8, FV_MASK, 1, 2, 5, 5, 1);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    g_autoptr (GError) error = NULL;
    CallResult result;
    g_assert_false (run_step (steps[i], image, NULL, device, &result, &error));
    g_assert_cmpstr (step_error_field (error), ==, "connectivity");
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/fill-holes/holes", test_holes);
  add_device_test ("/fill-holes/objects", test_objects);
  add_device_test ("/fill-holes/outlines", test_outlines);
  add_device_test ("/fill-holes/connectivity-must-fit", test_connectivity_must_fit);
  return g_test_run ();
}
