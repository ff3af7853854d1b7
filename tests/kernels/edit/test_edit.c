/* SPDX-License-Identifier: MIT
 *
 * edit: rejected texts, numbers that run out, positions on background, and objects as large as the image.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

#include <string.h>

enum { ROWS = 4, COLUMNS = 9 };

static Image *
labels (const double *values)
{
  return image_of (FV_I32, FV_LABELS, ROWS, COLUMNS, values);
}

/* The pixels as digits, row by row. */
static void
assert_pixels (Image *image, const char *expected)
{
  for (int i = 0; i < ROWS * COLUMNS; i++)
    if (image_value (image, 0, i / COLUMNS, i % COLUMNS) != expected[i] - '0')
      g_error ("row %d, column %d is %g and not %c", i / COLUMNS, i % COLUMNS,
               image_value (image, 0, i / COLUMNS, i % COLUMNS), expected[i]);
}

static void
assert_edited (const char *commands, const char *before, const char *after, int edits, int missed, Device *device)
{
  double values[ROWS * COLUMNS];
  CallResult result;
  g_autofree char *step = g_strdup_printf ("edit commands='%s'", commands);
  for (int i = 0; i < ROWS * COLUMNS; i++)
    values[i] = before[i] - '0';
  g_autoptr (Image) image = labels (values);
  run_step (step, image, NULL, device, &result, NULL);
  assert_pixels (result.images[0], after);
  g_assert_cmpfloat (result.scalars[0], ==, edits);
  g_assert_cmpfloat (result.scalars[1], ==, missed);
  call_result_clear (&result);
}

/* A disc that a line crosses falls in two, of which the larger keeps the number; one that it only enters stays as it is. */
static void
test_split (Device *device)
{
  assert_edited ("split 2,0 2,3",
                 "111111000"
                 "111111022"
                 "111111022"
                 "111111000",
                 "330111000"
                 "330111022"
                 "330111022"
                 "330111000",
                 1, 0, device);
  assert_edited ("split 7,0 7,2",
                 "111111022"
                 "111111022"
                 "111111022"
                 "111111022",
                 "111111022"
                 "111111022"
                 "111111022"
                 "111111022",
                 0, 1, device);
}

/* Two that touch, each in two: no number goes over into the neighbor. */
static void
test_split_two (Device *device)
{
  assert_edited ("split 0,2 8,2",
                 "111112222"
                 "111112222"
                 "111112222"
                 "111112222",
                 "111112222"
                 "111112222"
                 "000000000"
                 "333334444",
                 1, 0, device);
}

/* What is merged is one object for all that comes after; what is deleted is background. */
static void
test_sequence (Device *device)
{
  assert_edited ("merge 0,0 8,0; split 0,2 8,2; delete 0,0; fill 0,3",
                 "111000222"
                 "111000222"
                 "111000222"
                 "111000222",
                 "000000333"
                 "000000333"
                 "000000000"
                 "444000555",
                 4, 0, device);
  assert_edited ("delete 4,1; fill 0,0; merge 0,0 8,3; delete 8,3",
                 "111111002"
                 "111031002"
                 "111111002"
                 "000000002",
                 "000000000"
                 "000000000"
                 "000000000"
                 "000000000",
                 4, 0, device);
}

/* A triangle, once new and once part of the object where it begins; half of it lies outside. */
static void
test_draw (Device *device)
{
  assert_edited ("draw 4,0 8,0 8,3; draw 0,3 0,0 2,3; erase 1,3; draw 20,20 30,20",
                 "000000000"
                 "000000000"
                 "000000000"
                 "500000000",
                 "500066666"
                 "550006666"
                 "550000066"
                 "505000006",
                 3, 1, device);
  assert_edited ("draw -5,1 3,1",
                 "000000000"
                 "000000000"
                 "000000000"
                 "000000000",
                 "000000000"
                 "111100000"
                 "000000000"
                 "000000000",
                 1, 0, device);
}

static void
test_missed (Device *device)
{
  const char *same = "111000222"
                     "111000222"
                     "000000000"
                     "000000000";
  assert_edited ("delete 4,0; merge 5,0 20,0; split 4,0 4,3; fill -1,0; erase 4,2 5,3; delete 0,0,1; delete 0,0,0,1",
                 same, same, 0, 7, device);
  assert_edited ("", same, same, 0, 0, device);
}

static void
assert_refused (Device *device, const char *arguments, const char *said)
{
  double values[ROWS * COLUMNS] = {1};
  g_autoptr (Image) image = labels (values);
  g_autoptr (GError) error = NULL;
  g_autofree char *step = g_strdup_printf ("edit %s", arguments);
  CallResult result;
  g_assert_false (run_step (step, image, NULL, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "commands");
  if (!strstr (error->message, said))
    g_error ("'%s' does not say '%s'", error->message, said);
}

static void
test_refused (Device *device)
{
  assert_refused (device, "commands='delete 1,2; delte 3,4'", "Command 2: unknown command 'delte'");
  assert_refused (device, "commands=delete", "delete needs a position");
  assert_refused (device, "commands='merge 1,2'", "merge needs two positions or more");
  assert_refused (device, "commands='delete 1'", "'1' is not a position");
  assert_refused (device, "commands='delete 1,2,3,4,5'", "'1,2,3,4,5' is not a position");
  assert_refused (device, "commands='delete 1.5,2'", "'1.5,2' is not a position");
  assert_refused (device, "commands='delete 1,99999999999'", "is not a position");
  assert_refused (device, "commands='merge 1,2 3,4,1'", "positions in planes 0 and 1");
  assert_refused (device, "commands='draw 1,2 3,4,1' volume=yes", "draw works in one plane");
  assert_refused (device, "commands='merge 1,2,0,0 3,4,0,1' volume=yes", "frames 0 and 1");
  assert_refused (device, "commands='ääääääääääääääääääääääääääää'", "unknown command 'ääääääääääääääääääää'.");
}

/* The largest number there is can be deleted, and no other comes after it. */
static void
test_numbers (Device *device)
{
  double values[ROWS * COLUMNS] = {[4] = 2147483647, [20] = 7};
  g_autoptr (Image) image = labels (values);
  g_autoptr (GError) error = NULL;
  CallResult result;
  run_step ("edit commands='merge 2,2 4,0'", image, NULL, device, &result, NULL);
  g_assert_cmpfloat (image_value (result.images[0], 0, 0, 4), ==, 7);
  call_result_clear (&result);
  g_assert_false (run_step ("edit commands='draw 8,3'", image, NULL, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "image");
}

/* One object, the image, is cut, filled and counted along. */
static void
test_large (Device *device)
{
  enum { SIDE = 1500 };
  g_autofree double *values = g_new0 (double, SIDE *SIDE);
  for (int i = 0; i < SIDE * SIDE; i++)
    values[i] = i / SIDE % 10 != 5 || i % SIDE % 10 != 5; /* holes */
  g_autoptr (Image) image = image_of (FV_I32, FV_LABELS, SIDE, SIDE, values);
  CallResult result;
  run_step ("edit commands='split 0,700 1499,700; fill 0,0'", image, NULL, device, &result, NULL);
  g_assert_cmpfloat (image_value (result.images[0], 0, 5, 5), ==, 2);
  g_assert_cmpfloat (image_value (result.images[0], 0, 700, 3), ==, 0);
  g_assert_cmpfloat (image_value (result.images[0], 0, 1499, 1499), ==, 1);
  g_assert_cmpfloat (image_value (result.images[0], 0, 705, 5), ==, 0);
  call_result_clear (&result);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/edit/split", test_split);
  add_device_test ("/edit/split-two", test_split_two);
  add_device_test ("/edit/sequence", test_sequence);
  add_device_test ("/edit/draw", test_draw);
  add_device_test ("/edit/missed", test_missed);
  add_device_test ("/edit/refused", test_refused);
  add_device_test ("/edit/numbers", test_numbers);
  add_device_test ("/edit/large", test_large);
  return g_test_run ();
}
