/* SPDX-License-Identifier: MIT
 *
 * maxima: small images with visible peaks, NaN, and stacks.
 */
#include "core/base/error.h"
#include "core/data/table.h"
#include "tests/support/support.h"

#include <math.h>

/* Digits of a row are values, '?' is NaN; rows end with a space. */
static Image *
image_of_digits (fv_type type, const char *digits)
{
  g_auto (GStrv) rows = g_strsplit (digits, " ", -1);
  gint64 n = g_strv_length (rows), columns = (gint64) strlen (rows[0]);
  g_autofree double *values = g_new0 (double, n *columns);
  for (gint64 i = 0; i < n * columns; i++) {
    char digit = rows[i / columns][i % columns];
    values[i] = digit == '?' ? NAN : digit - '0';
  }
  return image_of (type, FV_IMAGE, n, columns, values);
}

/* The labels are digits, '.' is none. */
static void
check (const char *step, fv_type type, const char *digits, const char *labels, Device *device)
{
  g_autoptr (Image) image = image_of_digits (type, digits);
  g_auto (GStrv) rows = g_strsplit (labels, " ", -1);
  double max = 0;
  CallResult result;
  run_step (step, image, NULL, device, &result, NULL);
  for (gint64 y = 0; rows[y]; y++)
    for (gint64 x = 0; rows[y][x]; x++) {
      double label = rows[y][x] == '.' ? 0 : rows[y][x] - '0';
      max = MAX (max, label);
      g_assert_cmpfloat (image_value (result.images[0], 0, y, x), ==, label);
    }
  g_assert_cmpfloat (result.scalars[0], ==, max);
  g_assert_cmpint (table_rows (result.table), ==, (gint64) max);
  call_result_clear (&result);
}

static void
test_prominence (Device *device)
{
  for (fv_type type = FV_U8; type <= FV_F64; type <<= 1) {
    check ("maxima prominence=2", type, "0003020500", "...1...2..", device);
    check ("maxima prominence=3", type, "0003020500", ".......1..", device); /* 3 falls only by 3, not by more */
    check ("maxima prominence=1 output=areas", type, "0123210430", "..111..22.", device);
    check ("maxima prominence=0", type, "1111111111", "..........", device);
    check ("maxima prominence=1", type, "05550 05550 00000", "..... ..1.. .....", device);
    check ("maxima prominence=9 strict=yes", type, "0003020500", "..........", device);
    check ("maxima prominence=1 exclude_edges=yes", type, "00000 04005 00000", "..... .1... .....", device);
    check ("maxima prominence=2 light=yes", type, "9996979599", "...1...2..", device);
    check ("maxima prominence=1 threshold=3", type, "0003020500", ".......1..", device);
  }
}

/* NaN parts what it lies between. */
static void
test_nan (Device *device)
{
  check ("maxima prominence=5", FV_F32, "024?420 024?310", "....2.. ..1....", device);
  check ("maxima prominence=5", FV_F64, "????", "....", device);
  check ("maxima method=peaks", FV_F32, "0205?500", ".1......", device);
}

static void
test_peaks (Device *device)
{
  for (fv_type type = FV_U8; type <= FV_F64; type <<= 1) {
    check ("maxima method=peaks", type, "0003020500", "...1.2.3..", device);
    check ("maxima method=peaks distance=2", type, "0003020500", "...1...2..", device);
    check ("maxima method=peaks distance=3", type, "0555555550", ".1..2..3..",
           device); /* each third of a row of equal ones */
    check ("maxima method=peaks exclude_edges=yes", type, "50000 00000 00400 00000 00005",
           "..... ..... ..1.. ..... .....", device);
    check ("maxima method=peaks light=yes", type, "9996979599", "...1.2.3..", device);
  }
}

/* Each plane has numbers of its own, and its slice in the table; as one volume the brightest of all stays. */
static void
test_slices (Device *device)
{
  const double values[] = {0, 0, 3, 0, 0, 0, 0, 0, 5, 0, 4, 0};
  g_autoptr (Image) image = image_of_planes (FV_U8, FV_IMAGE, 1, 2, 1, 6, values);
  const char *steps[] = {"maxima prominence=1", "maxima method=peaks", "maxima method=peaks volume=yes"};
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    const gboolean volume = i == 2;
    CallResult result;
    run_step (steps[i], image, NULL, device, &result, NULL);
    g_assert_cmpint (table_rows (result.table), ==, volume ? 2 : 3);
    g_assert_cmpfloat (result.scalars[0], ==, volume ? 2 : 3);
    for (int row = 0; row < (volume ? 2 : 3); row++) {
      const double all[3][5] = {{1, 1, 2, 0, 3}, {2, 1, 2, 0, 5}, {2, 2, 4, 0, 4}}, *want = all[row + volume];
      for (guint j = 0; j < 5; j++)
        g_assert_cmpfloat (table_value (result.table, j, row), ==, j == 1 && volume ? row + 1 : want[j]);
    }
    call_result_clear (&result);
  }
}

static void
test_channels (Device *device)
{
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 2, 1, 5, 6, 1);
  g_autoptr (GError) error = NULL;
  CallResult result;
  g_assert_false (run_step ("maxima", image, NULL, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "image");
}

/* Large plateaus whose middle lies between four pixels, of which a search from their last pixel finds the last one first. */
static void
test_plateaus (Device *device)
{
  enum { SIDE = 150, SQUARE = 48, STEP = 50 };
  g_autofree double *values = g_new0 (double, SIDE *SIDE);
  for (int i = 0; i < SIDE * SIDE; i++)
    values[i] = i % SIDE % STEP < SQUARE && i / SIDE % STEP < SQUARE ? 9 : 0;
  g_autoptr (Image) image = image_of (FV_U16, FV_IMAGE, SIDE, SIDE, values);
  CallResult result;
  run_step ("maxima prominence=3", image, NULL, device, &result, NULL);
  g_assert_cmpint (table_rows (result.table), ==, 9);
  for (int row = 0; row < 9; row++) {
    g_assert_cmpfloat (table_value (result.table, 1, row), ==, row % 3 * STEP + SQUARE / 2);
    g_assert_cmpfloat (table_value (result.table, 2, row), ==, row / 3 * STEP + SQUARE / 2);
  }
  call_result_clear (&result);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/maxima/prominence", test_prominence);
  add_device_test ("/maxima/nan", test_nan);
  add_device_test ("/maxima/peaks", test_peaks);
  add_device_test ("/maxima/slices", test_slices);
  add_device_test ("/maxima/channels", test_channels);
  add_device_test ("/maxima/plateaus", test_plateaus);
  return g_test_run ();
}
