/* SPDX-License-Identifier: MIT
 *
 * What the wand takes of small planes, by hand: its tolerance is a part of the range of all finite values.
 */
#include "core/selection/wand_plane.h"

#include "tests/support/support.h"

#include <math.h>
#include <string.h>

static char *
traced (WandPlane *plane, gint64 x, gint64 y, double tolerance)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Selection) found = wand_plane_trace (plane, x, y, tolerance, &error);
  g_assert_no_error (error);
  return found ? selection_format (found) : NULL;
}

static void
assert_traced (WandPlane *plane, gint64 x, gint64 y, double tolerance, const char *expected)
{
  g_autofree char *text = traced (plane, x, y, tolerance);
  g_assert_cmpstr (text, ==, expected);
}

/* The range is 0 ... 100: a quarter of it around 50 takes 40 and 75, not 80. */
static void
test_tolerance (void)
{
  const double values[] = {0, 40, 50, 75, 80, 100, NAN, INFINITY};
  g_autoptr (Image) image = image_of (FV_F32, FV_IMAGE, 1, 8, values);
  WandPlane *plane = wand_plane_new (image, (PlanePosition){0, 0, 0});
  g_assert_cmpfloat (wand_plane_tolerance (plane), ==, 0.1);
  assert_traced (plane, 2, 0, 0, "traced(3,1,2,1,2,0,3,0)");
  assert_traced (plane, 2, 0, 0.1, "traced(3,1,1,1,1,0,3,0)");
  assert_traced (plane, 2, 0, 0.25, "traced(4,1,1,1,1,0,4,0)");
  assert_traced (plane, 2, 0, 1, "traced(6,1,0,1,0,0,6,0)");
  assert_traced (plane, 6, 0, 0.5, NULL); /* no value */
  wand_plane_unref (plane);
}

static void
test_labels (void)
{
  const double values[] = {1, 1, 2, 2};
  g_autoptr (Image) labels = image_of (FV_I32, FV_LABELS, 2, 2, values);
  WandPlane *plane = wand_plane_new (labels, (PlanePosition){0, 0, 0}), *again = wand_plane_ref (plane);
  wand_plane_unref (plane);
  g_assert_cmpfloat (wand_plane_tolerance (again), ==, 0);
  assert_traced (again, 1, 1, 0, "traced(2,2,0,2,0,1,2,1)");
  wand_plane_unref (again);
}

/* The plane that is asked for; of colors the mean of red, green and blue. */
static void
test_planes (void)
{
  const double values[] = {9, 0, 0, 9, 0, 6, 0, 6, 0, 3, 3, 3};
  g_autoptr (Image) stack = image_of_planes (FV_U8, FV_IMAGE, 1, 3, 1, 4, values);
  g_autoptr (Image) rgb = image_of_planes (FV_U8, FV_RGB, 3, 1, 1, 4, values);
  WandPlane *slice = wand_plane_new (stack, (PlanePosition){0, 2, 0}),
            *colors = wand_plane_new (rgb, (PlanePosition){0, 0, 0});
  assert_traced (slice, 3, 0, 0, "traced(4,1,1,1,1,0,4,0)");
  assert_traced (colors, 1, 0, 0, "traced(2,1,0,1,0,0,2,0)"); /* 3, 3, 1, 6 */
  wand_plane_unref (slice);
  wand_plane_unref (colors);
}

/* A file with a pyramid: a disc of 10 around (2400, 2600) of radius 700 on 0, and below row 4000 a stripe of 5 as wide as the plane. */
enum { SIDE = 5120 };

static gint64 pixels_read;

static gboolean
large_level (gpointer self, guint n, ImageLevel *level)
{
  (void) self;
  *level = (ImageLevel){SIDE >> n, SIDE >> n, 256, 256, FALSE};
  return n < 4;
}

static gboolean
large_read (gpointer self, guint level, gint64 plane, const ImageRegion *r, void *to, gsize stride, GError **error)
{
  (void) self, (void) plane, (void) error;
  pixels_read += r->rows * r->columns;
  for (gint64 i = 0; i < r->rows; i++)
    for (gint64 j = 0; j < r->columns; j++) {
      gint64 y = (r->row + i) << level, x = (r->column + j) << level;
      gboolean in = (y - 2400) * (y - 2400) + (x - 2600) * (x - 2600) <= 700 * 700;
      ((guint8 *) to)[(gsize) i * stride + (gsize) j] = in ? 10 : y >= 4000 ? 5 : 0;
    }
  return TRUE;
}

static void
large_free (gpointer self)
{
  (void) self;
}

/* Only what is around the pixel is read, as far as it must be; and the range is right. */
static void
test_large (void)
{
  static const ImageSource functions = {large_level, large_read, large_free};
  const ImageInfo info = {
    .type = FV_U8, .role = FV_IMAGE, .frames = 1, .channels = 1, .depth = 1, .rows = SIDE, .columns = SIDE};
  g_autoptr (Image) image = image_new_from_source (&info, &functions, (gpointer) &info, NULL);
  g_autoptr (GError) error = NULL;
  WandPlane *plane = wand_plane_new (image, (PlanePosition){0, 0, 0});
  SelectionPoint low, high;
  g_autoptr (Selection) disc = wand_plane_trace (plane, 2600, 2400, 0.4, &error);
  g_assert_no_error (error);
  selection_bounds (disc, &low, &high);
  g_assert_true (low.x == 1900 && low.y == 1700 && high.x == 3301 && high.y == 3101);
  g_assert_cmpint (pixels_read, <, SIDE * SIDE / 2);
  g_assert_null (wand_plane_trace (plane, 100, 4500, 0.4, &error)); /* the stripe: longer than the wand looks */
  g_assert_nonnull (strstr (error->message, "extends over more than 2048 pixels"));
  g_clear_error (&error);
  g_assert_null (image_plane_now (image, 0));
  wand_plane_unref (plane);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/wand-plane/tolerance", test_tolerance);
  g_test_add_func ("/wand-plane/labels", test_labels);
  g_test_add_func ("/wand-plane/planes", test_planes);
  g_test_add_func ("/wand-plane/large", test_large);
  return g_test_run ();
}
