/* SPDX-License-Identifier: MIT
 *
 * Smaller versions of a slice, against NumPy's means of blocks:
 *
 *   y, x = numpy.mgrid[:9, :7]
 *
 *   a = (x * 37 + y * 91 + x * y * 5) % 251
 *
 *   half = a[:8, :6].reshape(4, 2, 3, 2).sum((1, 3)) / 4
 *
 * Integers are (sum + 2) // 4.
 */
#include "core/data/pixel_type.h"
#include "core/view/pyramid.h"

#include "tests/support/support.h"

#include <math.h>

enum { ROWS = 9, COLUMNS = 7 };

static const double halves[4][3] = {
  {65.25, 144.25, 97.75}, {126.75, 100.25, 136.5}, {125.5, 119, 112.5}, {124.25, 137.75, 151.25}};

/* Channels and slices differ by what is added. */
static Image *
make_image (fv_type type, fv_role role)
{
  double values[4 * ROWS * COLUMNS];
  for (int p = 0; p < 4; p++)
    for (int y = 0; y < ROWS; y++)
      for (int x = 0; x < COLUMNS; x++)
        values[(p * ROWS + y) * COLUMNS + x] = (x * 37 + y * 91 + x * y * 5) % 251 + p;
  return image_of_planes (type, role, 2, 2, ROWS, COLUMNS, values);
}

static void
test_half (void)
{
  static const fv_type types[] = {FV_U8, FV_U16, FV_I16, FV_U32, FV_I32, FV_F16, FV_F32, FV_F64};
  for (guint t = 0; t < G_N_ELEMENTS (types); t++) {
    g_autoptr (Image) image = make_image (types[t], FV_IMAGE);
    g_autoptr (Pyramid) pyramid = pyramid_new ();
    Image *half = pyramid_level (pyramid, &(PyramidSlice){image, 0, 1, FALSE}, 1, NULL);
    const ImageInfo *info = image_info (half);
    g_assert_true (info->rows == 4 && info->columns == 3 && info->channels == 2 && info->depth == 1);
    for (int c = 0; c < 2; c++)
      for (int y = 0; y < 4; y++)
        for (int x = 0; x < 3; x++) {
          double mean = halves[y][x] + 2 * c + 1;
          g_assert_cmpfloat (image_value (half, c, y, x), ==,
                             !pixel_type_is_float (types[t]) ? floor (mean + 0.5) : mean);
        }
  }
}

/* Labels are the first of each four, in every type; the same image as intensities is computed again. */
static void
test_numbers (void)
{
  static const fv_type types[] = {FV_U16, FV_F32};
  for (guint t = 0; t < G_N_ELEMENTS (types); t++) {
    g_autoptr (Image) image = make_image (types[t], FV_IMAGE);
    g_autoptr (Pyramid) pyramid = pyramid_new ();
    for (int numbers = 1; numbers >= 0; numbers--) {
      Image *half = pyramid_level (pyramid, &(PyramidSlice){image, 0, 1, numbers}, 1, NULL);
      const double value = image_value (half, 1, 2, 1), first = image_value (image, 3, 4, 2);
      g_assert_true (numbers ? value == first : value != first);
    }
  }
}

/* ((half[:4, :2].reshape(2, 2, 1, 2).sum((1, 3)) + 2) // 4); a slice that is one pixel wide gets no smaller. */
static void
test_further (void)
{
  g_autoptr (Image) image = make_image (FV_U8, FV_IMAGE);
  g_autoptr (Pyramid) pyramid = pyramid_new ();
  Image *quarter = pyramid_level (pyramid, &(PyramidSlice){image, 0, 0, FALSE}, 2, NULL);
  g_assert_true (image_info (quarter)->rows == 2 && image_info (quarter)->columns == 1);
  g_assert_cmpfloat (image_value (quarter, 0, 0, 0), ==, 109);
  g_assert_cmpfloat (image_value (quarter, 0, 1, 0), ==, 127);
  g_assert_true (pyramid_level (pyramid, &(PyramidSlice){image, 0, 0, FALSE}, 30, NULL) == quarter);
  Image *whole = pyramid_level (pyramid, &(PyramidSlice){image, 0, 0, FALSE}, 0, NULL);
  g_assert_true (image_info (whole)->rows == ROWS && image_info (whole)->columns == COLUMNS);
  g_assert_cmpfloat (image_value (whole, 1, 8, 6), ==, (6 * 37 + 8 * 91 + 6 * 8 * 5) % 251 + 2);
}

/* Labels stay labels: the first of each block. */
static void
test_labels (void)
{
  g_autoptr (Image) image = make_image (FV_I32, FV_LABELS);
  g_autoptr (Pyramid) pyramid = pyramid_new ();
  Image *half = pyramid_level (pyramid, &(PyramidSlice){image, 0, 0, FALSE}, 1, NULL);
  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 3; x++)
      g_assert_cmpfloat (image_value (half, 0, y, x), ==, (2 * x * 37 + 2 * y * 91 + 2 * x * 2 * y * 5) % 251);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/pyramid/half", test_half);
  g_test_add_func ("/pyramid/numbers", test_numbers);
  g_test_add_func ("/pyramid/further", test_further);
  g_test_add_func ("/pyramid/labels", test_labels);
  return g_test_run ();
}
