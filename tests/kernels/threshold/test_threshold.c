/* SPDX-License-Identifier: MIT
 *
 * Rows longer than what is worked on at a time: each pixel is compared where it is, and the shape of an image does not change its threshold.
 */
#include "tests/support/support.h"

enum { ROWS = 3, COLUMNS = 70001 };

static double
value_at (gint64 i)
{
  return (double) ((i * i / 7 + i * 13) % 1000);
}

static Image *
image_with (gint64 rows, gint64 columns)
{
  g_autofree double *values = g_new (double, ROWS *COLUMNS);
  for (gint64 i = 0; i < ROWS * COLUMNS; i++)
    values[i] = value_at (i);
  return image_of (FV_U16, FV_IMAGE, rows, columns, values);
}

static const guint8 *
mask_of (const char *steps, Image *image, Device *device, CallResult *result)
{
  g_autoptr (GError) error = NULL;
  run_step (steps, image, NULL, device, result, &error);
  g_assert_no_error (error);
  const guint8 *mask = image_on_host (result->images[0], NULL, &error);
  g_assert_no_error (error);
  return mask;
}

static void
test_long_rows (Device *device)
{
  g_autoptr (Image) wide = image_with (ROWS, COLUMNS), high = image_with (COLUMNS, ROWS);
  CallResult one, other;
  const guint8 *mask = mask_of ("threshold method=manual lower=400 upper=700", wide, device, &one);
  for (gint64 i = 0; i < ROWS * COLUMNS; i++)
    g_assert_cmpuint (mask[i], ==, value_at (i) >= 400 && value_at (i) <= 700 ? 255 : 0);
  call_result_clear (&one);
  const guint8 *a = mask_of ("otsu", wide, device, &one), *b = mask_of ("otsu", high, device, &other);
  g_assert_cmpmem (a, ROWS * COLUMNS, b, ROWS * COLUMNS);
  call_result_clear (&one);
  call_result_clear (&other);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/threshold/long-rows", test_long_rows);
  return g_test_run ();
}
