/* SPDX-License-Identifier: MIT
 *
 * Label: grids labeled by hand.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

#include <string.h>

/* Runs a step on a picture of '.' and anything else, and compares with labels drawn as digits. */
static void
check (const char *step, const char *const *picture, const char *const *expected, double objects, Device *device)
{
  gint64 rows = g_strv_length ((char **) picture), columns = (gint64) strlen (picture[0]);
  g_autofree double *values = g_new0 (double, rows *columns);
  g_autoptr (Image) image = NULL;
  CallResult result;
  for (gint64 i = 0; i < rows * columns; i++)
    values[i] = picture[i / columns][i % columns] == '.' ? 0 : picture[i / columns][i % columns];
  image = image_of (FV_U8, FV_IMAGE, rows, columns, values);
  run_step (step, image, NULL, device, &result, NULL);
  for (gint64 i = 0; i < rows * columns; i++) {
    char c = expected[i / columns][i % columns];
    g_assert_cmpfloat (image_value (result.images[0], 0, i / columns, i % columns), ==, c == '.' ? 0 : c - '0');
  }
  g_assert_cmpfloat (result.scalars[0], ==, objects);
  g_assert_true (image_info (result.images[0])->dense);
  call_result_clear (&result);
}

static void
test_connectivity (Device *device)
{
  static const char *const picture[] = {"#..#.", ".#.#.", "...#.", "#####", NULL};
  static const char *const eight[] = {"1..2.", ".1.2.", "...2.", "22222", NULL};
  static const char *const four[] = {"1..2.", ".3.2.", "...2.", "22222", NULL};
  check ("label connectivity=8", picture, eight, 2, device);
  check ("label connectivity=4", picture, four, 3, device);
}

/* A spiral and a comb: the numbering goes by the first pixel of the whole object, however late its parts meet. */
static void
test_late_merges (Device *device)
{
  static const char *const comb[] = {"#.#.#.#", "#.#.#.#", "#######", ".......", "#.#.#.#", NULL};
  static const char *const combed[] = {"1.1.1.1", "1.1.1.1", "1111111", ".......", "2.3.4.5", NULL};
  static const char *const spiral[] = {"#######", "......#", "#####.#", "#...#.#",
                                       "#.###.#", "#.....#", "#######", NULL};
  static const char *const spiralled[] = {"1111111", "......1", "11111.1", "1...1.1",
                                          "1.111.1", "1.....1", "1111111", NULL};
  check ("label", comb, combed, 5, device);
  check ("label", spiral, spiralled, 1, device);
}

static void
test_options (Device *device)
{
  static const char *const picture[] = {"#.....", "..##..", "..##.#", "......", ".###..", "......", NULL};
  static const char *const inside[] = {"......", "..11..", "..11..", "......", ".222..", "......", NULL};
  static const char *const large[] = {"......", "..11..", "..11..", "......", "......", "......", NULL};
  static const char *const small[] = {"1.....", "......", ".....2", "......", "......", "......", NULL};
  static const char *const values[] = {"aabb", "aab.", "..aa", NULL};
  static const char *const split[] = {"1122", "112.", "..11", NULL};
  check ("label exclude_border=yes", picture, inside, 2, device);
  check ("label min_size=4", picture, large, 1, device);
  check ("label max_size=1", picture, small, 2, device);
  check ("label values=equal", values, split, 2, device);
}

static void
test_nothing (Device *device)
{
  static const char *const nothing[] = {"....", "....", NULL};
  check ("label", nothing, nothing, 0, device);
}

static void
test_connectivity_must_fit (Device *device)
{
  g_autoptr (Image) image = image_random (FV_U8, FV_MASK, 1, 2, 5, 5, 1);
  g_autoptr (GError) error = NULL;
  CallResult result;
  g_assert_false (run_step ("label connectivity=26", image, NULL, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "connectivity");
  g_clear_error (&error);
  g_assert_false (run_step ("label connectivity=8 volume=yes", image, NULL, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "connectivity");
}

/* With the number of objects that labels can tell posing as `max`, which is the last field of the arguments and no parameter. The
 * error's text; NULL: done. */
static char *
label_at_most (gint32 max, const char *step, Image *image, Device *device)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Recipe) recipe = recipe_parse (test_modules (), step, &error);
  const Step *label = recipe_step (recipe, 0);
  CallResult result;
  memcpy ((char *) label->args + label->op->fv.args_size - sizeof max, &max, sizeof max);
  if (call_op (label->op, label->args, &image, device, NULL, &result, &error)) {
    call_result_clear (&result);
    return NULL;
  }
  g_assert_true (g_error_matches (error, STEP_ERROR, FV_UNSUPPORTED));
  g_assert_cmpstr (step_error_field (error), ==, "image");
  return g_strdup (error->message);
}

/* More objects than labels can number are an error, the same on every device; what is dropped does not count. */
static void
test_too_many (Device *device)
{
  enum { SIDE = 70 };
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 1, 3, SIDE, SIDE, 1);
  g_autofree char *planes = NULL, *volume = NULL, *equal = NULL;
  guint8 *pixels = image_pixels (image);
  for (int i = 0; i < 3 * SIDE * SIDE; i++) /* in two planes single pixels and one row of three */
    pixels[i] = i / (SIDE * SIDE) != 1 && i / SIDE % 2 == 0 && (i % SIDE % 2 == 0 || i % (SIDE * SIDE) == 1) ? 7 : 0;
  const gint32 each = SIDE / 2 * (SIDE / 2) - 1;
  planes = label_at_most (each - 1, "label", image, device);
  g_assert_cmpstr (planes, ==,
                   "label: image: More than 1223 objects, or runs of pixels that could be objects, which is as many "
                   "as labels can number: smooth the image or remove its noise first.");
  g_assert_null (label_at_most (each, "label", image, device));
  volume = label_at_most (each, "label volume=yes connectivity=6", image, device);
  g_assert_nonnull (volume);
  equal = label_at_most (each - 1, "label values=equal", image, device);
  g_assert_cmpstr (equal, ==, planes);
  g_assert_null (label_at_most (1, "label min_size=2", image, device));
  g_assert_null (label_at_most (0, "label", image, device));
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/label/connectivity", test_connectivity);
  add_device_test ("/label/late-merges", test_late_merges);
  add_device_test ("/label/options", test_options);
  add_device_test ("/label/nothing", test_nothing);
  add_device_test ("/label/connectivity-must-fit", test_connectivity_must_fit);
  add_device_test ("/label/too-many", test_too_many);
  return g_test_run ();
}
