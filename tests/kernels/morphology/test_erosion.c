/* SPDX-License-Identifier: MIT
 *
 * Erosion and its relatives on pictures drawn by hand, and their dualities.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

#include <string.h>

static void
check (const char *step, const char *const *picture, const char *const *expected, fv_role role, Device *device)
{
  gint64 rows = g_strv_length ((char **) picture), columns = (gint64) strlen (picture[0]);
  g_autofree double *values = g_new0 (double, rows *columns);
  g_autoptr (Image) image = NULL;
  CallResult result;
  for (gint64 i = 0; i < rows * columns; i++)
    values[i] = picture[i / columns][i % columns] == '#' ? 255 : 0;
  image = image_of (FV_U8, role, rows, columns, values);
  run_step (step, image, NULL, device, &result, NULL);
  for (gint64 i = 0; i < rows * columns; i++)
    g_assert_cmpfloat (image_value (result.images[0], 0, i / columns, i % columns), ==,
                       expected[i / columns][i % columns] == '#' ? 255 : 0);
  call_result_clear (&result);
}

/* Outside the image counts as neutral: a full image stays full. */
static void
test_pictures (Device *device)
{
  static const char *const ring[] = {".......", ".#####.", ".#####.", ".##.##.", ".#####.", ".#####.", ".......", NULL};
  static const char *const by_square[] = {".......", ".......", ".......", ".......",
                                          ".......", ".......", ".......", NULL};
  static const char *const by_diamond[] = {".......", ".......", "..#.#..", ".......",
                                           "..#.#..", ".......", ".......", NULL};
  static const char *const full[] = {"####", "####", "####", NULL};
  static const char *const dot[] = {".....", ".....", "..#..", ".....", ".....", NULL};
  static const char *const nothing[] = {".....", ".....", ".....", ".....", ".....", NULL};
  /* Beside the edge nothing outside says that it is background. */
  static const char *const filled[] = {"..###..", ".#####.", "#######", "#######",
                                       "#######", ".#####.", "..###..", NULL};
  static const char *const disk2[] = {"..#..", ".###.", "#####", ".###.", "..#..", NULL};
  for (fv_role role = FV_IMAGE; role <= FV_MASK; role++) {
    check ("erosion footprint=square radius=1", ring, by_square, role, device);
    check ("erosion footprint=diamond radius=1", ring, by_diamond, role, device);
    check ("erosion footprint=square radius=100", full, full, role, device);
    check ("dilation footprint=disk radius=2", dot, disk2, role, device);
    check ("opening footprint=square radius=1", dot, nothing, role, device);
    check ("closing footprint=diamond radius=1", ring, filled, role, device);
  }
}

/* Opening and closing twice is the same as once; iterations of erosion are erosions. */
static void
test_laws (Device *device)
{
  g_autoptr (Image) image = image_random (FV_U16, FV_IMAGE, 1, 1, 53, 71, 2);
  static const char *const idempotent[] = {"opening footprint=disk radius=3", "closing footprint=octagon radius=2"};
  CallResult once, twice;
  for (guint i = 0; i < G_N_ELEMENTS (idempotent); i++) {
    run_step (idempotent[i], image, NULL, device, &once, NULL);
    run_step (idempotent[i], once.images[0], NULL, device, &twice, NULL);
    assert_images_equal (once.images[0], twice.images[0]);
    call_result_clear (&once);
    call_result_clear (&twice);
  }
  run_step ("erosion footprint=square radius=1 iterations=3", image, NULL, device, &once, NULL);
  run_step ("erosion footprint=square radius=3", image, NULL, device, &twice, NULL);
  assert_images_equal (once.images[0], twice.images[0]);
  call_result_clear (&once);
  call_result_clear (&twice);
}

static void
test_ball_needs_a_volume (Device *device)
{
  g_autoptr (Image) image = image_random (FV_U8, FV_MASK, 1, 3, 9, 9, 1);
  g_autoptr (GError) error = NULL;
  CallResult result;
  g_assert_false (run_step ("erosion footprint=ball", image, NULL, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "footprint");
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/erosion/pictures", test_pictures);
  add_device_test ("/erosion/laws", test_laws);
  add_device_test ("/erosion/ball-needs-a-volume", test_ball_needs_a_volume);
  return g_test_run ();
}
