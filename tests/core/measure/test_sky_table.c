/* SPDX-License-Identifier: MIT
 *
 * Sky positions, worked out by hand for the gnomonic projection: the reference pixel, a degree to the north and one to the east.
 */
#include "core/measure/sky_table.h"

#include "tests/support/support.h"

#include <math.h>
#include <string.h>

enum { ROWS = 3 };

/* Cards of 80 characters; the reference is longitude 10, latitude 20 at the pixel whose center is at 49, 59; 0.01 degrees a pixel. */
static GRefString *
header (const char *longitude, const char *latitude)
{
  GString *cards = g_string_new (NULL);
  g_autofree char *first = g_strdup_printf ("CTYPE1  = '%s'", longitude);
  g_autofree char *second = g_strdup_printf ("CTYPE2  = '%s'", latitude);
  const char *const all[] = {"SIMPLE  =                    T",
                             "NAXIS   =                    2",
                             first,
                             second,
                             "CRPIX1  = 50.0",
                             "CRPIX2  = 60.0",
                             "CRVAL1  = 10.0",
                             "CRVAL2  = 20.0",
                             "CDELT1  = -0.01",
                             "CDELT2  = 0.01"};
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    g_string_append_printf (cards, "%-80s", all[i]);
  GRefString *shared = g_ref_string_new (cards->str);
  g_string_free (cards, TRUE);
  return shared;
}

static Table *
positions (const char *unit)
{
  static const double values[3 * ROWS] = {1, 2, 3, 49, 49, -51, 59, 159, 59};
  Table *table = table_new ();
  table_add_column (table, "label", "", "", FV_COLUMN_INTEGER);
  table_add_column (table, "x", unit, "", FV_COLUMN_FLOAT);
  table_add_column (table, "y", unit, "", FV_COLUMN_FLOAT);
  table_take_rows (table, g_memdup2 (values, sizeof values), ROWS);
  return table;
}

/* What lies so many degrees to the east and to the north in the plane that touches the sky at 10, 20. */
static void
touch (double east, double north, double sky_position[2])
{
  const double degree = G_PI / 180, c = cos (20 * degree), s = sin (20 * degree);
  const double out = c - north * degree * s, up = s + north * degree * c, aside = east * degree;
  sky_position[0] = 10 + atan2 (aside, out) / degree;
  sky_position[1] = atan (up / sqrt (out * out + aside * aside)) / degree;
}

static void
test_gnomonic (void)
{
  double expected[ROWS][2];
  touch (0, 0, expected[0]);
  touch (0, 1, expected[1]);
  touch (1, 0, expected[2]);
  g_assert_cmpfloat_with_epsilon (expected[1][1], 20 + atan (G_PI / 180) * 180 / G_PI, 1e-10);
  ImageInfo info = {.fits_header = header ("RA---TAN", "DEC--TAN")};
  g_autoptr (Table) table = positions (FV_PIXELS), sky = sky_table_new (table, &info);
  g_assert_cmpint (table_columns (sky), ==, 5);
  g_assert_cmpstr (table_column (sky, 3)->key, ==, "ra");
  g_assert_cmpstr (table_column (sky, 4)->key, ==, "dec");
  g_assert_cmpstr (table_column (sky, 4)->unit, ==, "deg");
  for (int i = 0; i < ROWS; i++) {
    g_assert_cmpfloat (table_value (sky, 0, i), ==, i + 1);
    g_assert_cmpfloat_with_epsilon (table_value (sky, 3, i), expected[i][0], 1e-10);
    g_assert_cmpfloat_with_epsilon (table_value (sky, 4, i), expected[i][1], 1e-10);
  }
  g_assert_null (sky_table_new (sky, &info)); /* they are there already */
  g_ref_string_release (info.fits_header);
}

static void
test_galactic (void)
{
  ImageInfo info = {.fits_header = header ("GLON-CAR", "GLAT-CAR")};
  g_autoptr (Table) table = positions (FV_PIXELS), sky = sky_table_new (table, &info);
  g_assert_cmpstr (table_column (sky, 3)->key, ==, "glon");
  g_assert_cmpstr (table_column (sky, 4)->key, ==, "glat");
  g_ref_string_release (info.fits_header);
}

/* Headers that say nothing of the sky, or nonsense; columns that are not pixels. */
static void
test_nowhere (void)
{
  ImageInfo info = {0};
  g_autoptr (Table) table = positions (FV_PIXELS), lengths = positions ("µm"), none = table_new ();
  g_assert_null (sky_table_new (table, &info));
  const char *const types[][2] = {
    {"LINEAR", "LINEAR"}, {"RA---TAN", "LINEAR"}, {"RA---XYZ", "DEC--XYZ"}, {"\x01\x7f'''", "="}};
  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    info.fits_header = header (types[i][0], types[i][1]);
    g_assert_null (sky_table_new (table, &info));
    g_ref_string_release (info.fits_header);
  }
  info.fits_header = header ("RA---TAN", "DEC--TAN");
  g_assert_null (sky_table_new (lengths, &info));
  g_assert_null (sky_table_new (none, &info));
  g_ref_string_release (info.fits_header);
}

/* Damaged headers break nothing. */
static void
test_damaged (void)
{
  g_autoptr (Table) table = positions (FV_PIXELS);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  for (int i = 0; i < 3000; i++) {
    ImageInfo info = {.fits_header = header (i % 2 ? "RA---TAN-SIP" : "RA---ZEA", i % 2 ? "DEC--TAN-SIP" : "DEC--ZEA")};
    const gint32 length = (gint32) strlen (info.fits_header);
    for (int k = g_rand_int_range (random, 1, 6); k > 0; k--)
      info.fits_header[g_rand_int_range (random, 0, length)] = (char) g_rand_int_range (random, 1, 256);
    if (i % 3 == 0)
      info.fits_header[g_rand_int_range (random, 1, length)] = 0;
    Table *sky = sky_table_new (table, &info);
    if (sky)
      table_unref (sky);
    g_ref_string_release (info.fits_header);
  }
}

/* sources, after a step that keeps the header. */
static void
test_operation (Device *device)
{
  double v[40 * 40] = {0};
  for (int i = 0; i < 9; i++)
    v[(20 + i / 3) * 40 + 10 + i % 3] = 5;
  g_autoptr (Image) plain = image_of (FV_F32, FV_IMAGE, 40, 40, v);
  ImageInfo info = *image_info (plain);
  info.fits_header = header ("RA---TAN", "DEC--TAN");
  g_autoptr (Image) image = image_with_info (plain, &info);
  g_ref_string_release (info.fits_header);
  g_autoptr (Run) run = run_of ("gaussian sigma=0 | sources sigma=1 filter=none", image);
  g_assert_true (run_execute (run, device, NULL, NULL));
  Table *table = run_last_table (run);
  g_assert_cmpint (table_rows (table), ==, 1);
  g_assert_cmpfloat (table_find (table, "x")->values[0], ==, 11);
  double expected[2];
  touch (0.38, -0.38, expected);
  g_assert_cmpfloat_with_epsilon (table_find (table, "ra")->values[0], expected[0], 1e-10);
  g_assert_cmpfloat_with_epsilon (table_find (table, "dec")->values[0], expected[1], 1e-10);
  g_assert_cmpstr (table_column (table, table_columns (table) - 2)->key, ==, "ra");
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/sky-table/gnomonic", test_gnomonic);
  g_test_add_func ("/sky-table/galactic", test_galactic);
  g_test_add_func ("/sky-table/nowhere", test_nowhere);
  g_test_add_func ("/sky-table/damaged", test_damaged);
  add_device_test ("/sky-table/operation", test_operation);
  return g_test_run ();
}
