/* SPDX-License-Identifier: MIT
 *
 * Profiles of lines in images: as many values as ImageJ's, and SciPy's values. tests/core/selection/test_selection.c has more of
 * ImageJ's.
 */
#include "core/selection/line_profile.h"
#include "tests/core/selection/selection_support.h"
#include "tests/support/support.h"

#include <math.h>

enum { ROWS = 30, COLUMNS = 40 };

/* y, x = numpy.mgrid[:30, :40]; a = (7 * x * x + 13 * y * y + 3 * x * y) % 251 * 5 */
static LineProfile *
profile_of (const char *text)
{
  double values[ROWS * COLUMNS];
  g_autoptr (GError) error = NULL;
  g_autoptr (Selection) line = selection_of (text);
  for (int y = 0; y < ROWS; y++)
    for (int x = 0; x < COLUMNS; x++)
      values[y * COLUMNS + x] = (7 * x * x + 13 * y * y + 3 * x * y) % 251 * 5;
  g_autoptr (Image) plain = image_of (FV_U16, FV_IMAGE, ROWS, COLUMNS, values);
  ImageInfo info = *image_info (plain);
  info.units[1] = (char *) "nm";
  info.units[2] = (char *) "µm";
  info.spacing[1] = 250;
  info.spacing[2] = 0.5;
  g_autoptr (Image) image = image_with_info (plain, &info);
  LineProfile *profile = line_profile_new (image, (PlanePosition){0, 0, 0}, line, &error);
  g_assert_no_error (error);
  return profile;
}

/* scipy.ndimage.map_coordinates(a, [numpy.linspace(5, 14, 21), numpy.linspace(4, 22, 21)], order=1) */
static void
test_slanted (void)
{
  g_autoptr (LineProfile) profile = profile_of ("line(4.5,5.5,22.5,14.5)");
  g_assert_cmpuint (profile->n, ==, 21);
  g_assert_cmpfloat_with_epsilon (profile->values[0], 1230, 1e-9);
  g_assert_cmpfloat_with_epsilon (profile->values[7], 332.175, 1e-9);
  g_assert_cmpfloat_with_epsilon (profile->values[20], 415, 1e-9);
  g_assert_cmpfloat_with_epsilon (profile->length, 9.276987657639737, 1e-12); /* numpy.hypot(18 * 0.5, 9 * 0.25) */
  g_assert_cmpstr (profile->unit, ==, "µm");
  g_assert_cmpfloat (line_profile_distance (profile, 0), ==, 0);
  g_assert_cmpfloat_with_epsilon (line_profile_distance (profile, 5), 9.276987657639737 / 4, 1e-12);
}

/* ImageJ's makeLine(-3, 7, 4, 7) has 8 values, whose last five are these; of a line as long as the image the last does not count. */
static void
test_counts (void)
{
  const double inside[] = {675, 815, 1025, 50, 400};
  g_autoptr (LineProfile) left = profile_of ("line(-2.5,7.5,4.5,7.5)"), whole = profile_of ("line(0.5,7.5,40.5,7.5)"),
                          outside = profile_of ("line(50,60,53,60)");
  g_assert_cmpuint (left->n, ==, 8);
  for (int i = 0; i < 3; i++)
    g_assert_true (isnan (left->values[i]));
  for (int i = 0; i < 5; i++)
    g_assert_cmpfloat (left->values[3 + i], ==, inside[i]);
  g_assert_cmpuint (whole->n, ==, 40);
  g_assert_cmpuint (outside->n, ==, 4);
  for (int i = 0; i < 4; i++)
    g_assert_true (isnan (outside->values[i]));
}

static void
test_text (void)
{
  g_autoptr (LineProfile) profile = profile_of ("line(0.5,7.5,2.5,7.5)");
  g_autofree char *text = line_profile_text (profile, '\t');
  g_assert_cmpstr (text, ==, "distance (µm)\tvalue\n0\t675\n0.5\t815\n1\t1025\n");
}

/* A file whose pixel (y, x) is x + 2 y. */
enum { SIDE = 40000 };

static gint64 pixels_read;

static gboolean
ramp_level (gpointer self, guint n, ImageLevel *level)
{
  (void) self;
  *level = (ImageLevel){SIDE, SIDE, 256, 256, FALSE};
  return n == 0;
}

static gboolean
ramp_read (gpointer self, guint level, gint64 plane, const ImageRegion *r, void *to, gsize stride, GError **error)
{
  (void) self, (void) level, (void) plane, (void) error;
  pixels_read += r->rows * r->columns;
  for (gint64 i = 0; i < r->rows; i++)
    for (gint64 j = 0; j < r->columns; j++)
      *(double *) (gpointer) ((char *) to + (gsize) i * stride + (gsize) j * 8) =
        (double) (r->column + j + 2 * (r->row + i));
  return TRUE;
}

static void
ramp_free (gpointer self)
{
  (void) self;
}

/* Across all of a large file only what is along the line is read. */
static void
test_long (void)
{
  static const ImageSource functions = {ramp_level, ramp_read, ramp_free};
  const ImageInfo info = {
    .type = FV_F64, .role = FV_IMAGE, .frames = 1, .channels = 1, .depth = 1, .rows = SIDE, .columns = SIDE};
  g_autoptr (Image) image = image_new_from_source (&info, &functions, NULL, NULL);
  g_autoptr (Selection) line = selection_of ("line(100.5,200.5,39000.5,31320.5)");
  g_autoptr (GError) error = NULL;
  g_autoptr (LineProfile) profile = line_profile_new (image, (PlanePosition){0, 0, 0}, line, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < profile->n; i++) {
    double along = (double) i / (profile->n - 1);
    g_assert_cmpfloat_with_epsilon (profile->values[i], 100 + along * 38900 + 2 * (200 + along * 31120), 1e-6);
  }
  g_assert_cmpuint (profile->n, >, 40000);
  g_assert_cmpint (pixels_read, <, (gint64) SIDE * SIDE / 20);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/line-profile/slanted", test_slanted);
  g_test_add_func ("/line-profile/counts", test_counts);
  g_test_add_func ("/line-profile/text", test_text);
  g_test_add_func ("/line-profile/long", test_long);
  return g_test_run ();
}
