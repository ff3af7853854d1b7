/* SPDX-License-Identifier: MIT
 *
 * convolve against its definition: by hand where that is short, else summed up at some of the pixels, on images of several tiles for each
 * of the ways in which it is computed.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

#include <math.h>

/* ---- By hand ---- */

static void
assert_row (const char *step, const double *image, gint64 n, const double *want, gint64 wanted, Device *device)
{
  g_autoptr (Image) in = image_of (FV_U8, FV_IMAGE, 1, n, image);
  CallResult result;
  run_step (step, in, NULL, device, &result, NULL);
  g_assert_cmpint (image_info (result.images[0])->columns, ==, wanted);
  g_assert_cmpint (image_info (result.images[0])->type, ==, FV_F32);
  for (gint64 x = 0; x < wanted; x++)
    g_assert_cmpfloat (image_value (result.images[0], 0, 0, x), ==, want[x]);
  call_result_clear (&result);
}

/* 1 2 4 with 1 10 100: the sums of the products as one multiplies numbers by hand. */
static void
test_by_hand (Device *device)
{
  static const double row[] = {1, 2, 4};
  static const struct {
    const char *options;
    double want[5];
    int n;
  } cases[] = {
    {"mode=full boundary=fill", {1, 12, 124, 240, 400}, 5},
    {"mode=same boundary=fill", {12, 124, 240}, 3},
    {"mode=valid", {124}, 1},
    {"boundary=fill value=3", {312, 124, 243}, 3},
    {"boundary=nearest", {112, 124, 244}, 3},
    {"boundary=symm", {112, 124, 244}, 3},
    {"boundary=wrap", {412, 124, 241}, 3},
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *step = g_strdup_printf ("convolve matrix='1 10 100' %s", cases[i].options);
    assert_row (step, row, 3, cases[i].want, cases[i].n, device);
  }
}

static void
test_rounded (Device *device)
{
  g_autoptr (Image) in = image_of (FV_U8, FV_IMAGE, 1, 4, (double[]){1, 2, 4, 255});
  static const double want[] = {2, 3, 6, 255}; /* twice the pixel less its left neighbor: 2, 3, 6, 506 */
  CallResult result;
  run_step ("convolve matrix='2 -1' boundary=fill mode=same output=same", in, NULL, device, &result, NULL);
  g_assert_cmpint (image_info (result.images[0])->type, ==, FV_U8);
  for (int x = 0; x < 4; x++)
    g_assert_cmpfloat (image_value (result.images[0], 0, 0, x), ==, want[x]);
  call_result_clear (&result);
}

/* ---- By the definition ---- */

/* What same with boundary=symm is at a pixel. */
static double
sum_at (Image *image, Image *kernel, gint64 z, gint64 y, gint64 x, gboolean volume)
{
  const ImageInfo *in = image_info (image), *k = image_info (kernel);
  const gint64 size[3] = {in->depth, in->rows, in->columns}, n[3] = {k->depth, k->rows, k->columns};
  double sum = 0;
  for (gint64 i = 0; i < n[0] * n[1] * n[2]; i++) {
    const gint64 offset[3] = {i / (n[1] * n[2]), i / n[2] % n[1], i % n[2]};
    gint64 at[3] = {z, y, x};
    for (int axis = volume ? 0 : 1; axis < 3; axis++) {
      at[axis] += (n[axis] - 1) / 2 - offset[axis];
      at[axis] = at[axis] < 0 ? -1 - at[axis] : at[axis] >= size[axis] ? 2 * size[axis] - 1 - at[axis] : at[axis];
    }
    sum += image_value (kernel, offset[0], offset[1], offset[2]) * image_value (image, at[0], at[1], at[2]);
  }
  return sum;
}

static Image *
product_kernel (gint64 depth, gint64 rows, gint64 columns)
{
  g_autofree double *values = g_new (double, depth *rows *columns);
  for (gint64 i = 0; i < depth * rows * columns; i++)
    values[i] = (2 + cos ((double) (i / (rows * columns)))) * sin ((double) (i / columns % rows) + 1)
                * exp (-0.01 * (double) (i % columns));
  return image_of_planes (FV_F64, FV_IMAGE, 1, depth, rows, columns, values);
}

/* The largest error of 300 pixels, those at the corners among them, against the sum of all that is added there. */
static void
check_samples (Image *image, Image *kernel, gboolean volume, Device *device)
{
  const ImageInfo *in = image_info (image), *k = image_info (kernel);
  const double limit = in->type == FV_F64 ? 1e-13 : 1e-6;
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  double all = 0;
  CallResult result;
  for (gint64 i = 0; i < k->depth * k->rows * k->columns; i++)
    all += fabs (image_value (kernel, i / (k->rows * k->columns), i / k->columns % k->rows, i % k->columns));
  all *= 4096; /* of image_random() */
  run_step (volume ? "convolve shape=image boundary=symm volume=yes" : "convolve shape=image boundary=symm", image,
            kernel, device, &result, NULL);
  for (int i = 0; i < 300; i++) {
    const gint64 z = g_rand_int_range (rand, 0, (gint) in->depth);
    const gint64 y = i < 4 ? i / 2 * (in->rows - 1) : g_rand_int_range (rand, 0, (gint) in->rows);
    const gint64 x = i < 4 ? i % 2 * (in->columns - 1) : g_rand_int_range (rand, 0, (gint) in->columns);
    const double want = sum_at (image, kernel, z, y, x, volume), got = image_value (result.images[0], z, y, x);
    if (!(fabs (got - want) <= limit * all))
      g_error ("plane %d, row %d, column %d is %.17g and not %.17g", (int) z, (int) y, (int) x, got, want);
  }
  call_result_clear (&result);
}

static void
test_planes (Device *device)
{
  static const gint64 sizes[][2] = {{1, 1}, {2, 7}, {5, 4}, {13, 15}, {1, 90}, {90, 1}, {61, 57}, {3, 250}};
  for (fv_type type = FV_F32; type <= FV_F64; type <<= 1) {
    g_autoptr (Image) image = image_random (type, FV_IMAGE, 1, 2, 291, 553, 3);
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
      g_autoptr (Image) random = image_random (FV_F64, FV_IMAGE, 1, 1, sizes[i][0], sizes[i][1], 11);
      g_autoptr (Image) product = product_kernel (1, sizes[i][0], sizes[i][1]);
      check_samples (image, random, FALSE, device);
      check_samples (image, product, FALSE, device);
    }
  }
}

static void
test_volumes (Device *device)
{
  static const gint64 sizes[][3] = {{2, 3, 4}, {5, 1, 1}, {3, 41, 39}, {4, 5, 3}};
  for (fv_type type = FV_F32; type <= FV_F64; type <<= 1) {
    g_autoptr (Image) image = image_random (type, FV_IMAGE, 1, 21, 83, 97, 3);
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
      g_autoptr (Image) random = image_random (FV_F64, FV_IMAGE, 1, sizes[i][0], sizes[i][1], sizes[i][2], 11);
      g_autoptr (Image) product = product_kernel (sizes[i][0], sizes[i][1], sizes[i][2]);
      check_samples (image, random, TRUE, device);
      check_samples (image, product, TRUE, device);
    }
  }
}

/* ---- What is not finite ---- */

/* It reaches as far as the kernel, whose zeros count, and no pixel farther, however large the kernel is. */
static void
test_not_finite (Device *device)
{
  static const double values[] = {NAN, INFINITY, -INFINITY};
  static const int sides[] = {3, 71};
  for (guint i = 0; i < G_N_ELEMENTS (values) * G_N_ELEMENTS (sides); i++) {
    const int side = sides[i / 3], rows = 310, columns = 420;
    g_autoptr (Image) image = image_random (FV_F32, FV_IMAGE, 1, 1, rows, columns, 5);
    g_autofree double *kernel = g_new0 (double, side *side);
    CallResult result;
    for (int k = 0; k < side; k++)
      kernel[k * side + k] = kernel[k * side + side - 1 - k] = 1 + k;
    g_autoptr (Image) cross = image_of (FV_F64, FV_IMAGE, side, side, kernel);
    ((float *) image_pixels (image))[100 * columns + 200] = (float) values[i % 3];
    run_step ("convolve shape=image", image, cross, device, &result, NULL);
    for (int y = 0; y < rows; y++)
      for (int x = 0; x < columns; x++) {
        const int dy = y - 100, dx = x - 200, reach = side / 2;
        const gboolean near = abs (dy) <= reach && abs (dx) <= reach, on = abs (dy) == abs (dx);
        const double got = image_value (result.images[0], 0, y, x);
        g_assert_true (!near ? isfinite (got) : on && i % 3 ? got == values[i % 3] : isnan (got));
      }
    call_result_clear (&result);
  }
}

/* So large that sums of a whole tile overflow, where those of a window do not. */
static void
test_large (Device *device)
{
  g_autofree double *ones = g_new (double, 51 * 51);
  g_autoptr (Image) image = image_random (FV_F32, FV_IMAGE, 1, 1, 200, 300, 5);
  CallResult result;
  for (int i = 0; i < 51 * 51; i++)
    ones[i] = i % 2 ? 1e-3 : -1e-3 * i / 2601;
  g_autoptr (Image) kernel = image_of (FV_F64, FV_IMAGE, 51, 51, ones);
  ((float *) image_pixels (image))[90 * 300 + 120] = 3e38f;
  run_step ("convolve shape=image", image, kernel, device, &result, NULL);
  g_assert_cmpfloat_with_epsilon (image_value (result.images[0], 0, 90, 120) / 3e38, ones[25 * 51 + 25], 1e-8);
  for (int i = 0; i < 200 * 300; i++)
    g_assert_true (isfinite (image_value (result.images[0], 0, i / 300, i % 300)));
  call_result_clear (&result);
}

/* ---- Errors ---- */

static void
assert_refused (const char *step, Image *image, Image *kernel, Device *device, const char *field, const char *words)
{
  g_autoptr (GError) error = NULL;
  CallResult result;
  g_assert_false (run_step (step, image, kernel, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, field);
  if (!strstr (error->message, words))
    g_error ("'%s' does not say '%s'", error->message, words);
}

static void
test_errors (Device *device)
{
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 1, 3, 5, 7, 1);
  g_autoptr (Image) small = image_of (FV_F64, FV_IMAGE, 1, 2, (double[]){1, NAN});
  g_autoptr (Image) deep = image_random (FV_F32, FV_IMAGE, 1, 2, 3, 3, 1);
  g_autoptr (Image) channels = image_random (FV_F32, FV_IMAGE, 2, 1, 3, 3, 1);
  g_autoptr (Image) null = image_of (FV_F64, FV_IMAGE, 1, 2, (double[]){1e308, 1e308});
  assert_refused ("convolve mode=valid matrix='1; 1; 1; 1; 1; 1'", image, NULL, device, "matrix", "6 values along y");
  assert_refused ("convolve mode=valid shape=mean size=7 volume=yes", image, NULL, device, "size", "7 values along z");
  assert_refused ("convolve matrix='1 / 1'", image, NULL, device, "matrix", "3-D");
  assert_refused ("convolve shape=image", image, NULL, device, "kernel", "No image");
  assert_refused ("convolve", image, image, device, "kernel", "shape=image");
  assert_refused ("convolve shape=image", image, deep, device, "kernel", "2 planes");
  assert_refused ("convolve shape=image", image, channels, device, "kernel", "2 channels");
  assert_refused ("convolve shape=image", image, small, device, "kernel", "finite");
  assert_refused ("convolve shape=image normalize=yes", image, null, device, "kernel", "finite");
  assert_refused ("convolve shape=gaussian sigma=200 volume=yes", image, NULL, device, "sigma", "at most");
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/convolve/by-hand", test_by_hand);
  add_device_test ("/convolve/rounded", test_rounded);
  add_device_test ("/convolve/planes", test_planes);
  add_device_test ("/convolve/volumes", test_volumes);
  add_device_test ("/convolve/not-finite", test_not_finite);
  add_device_test ("/convolve/large", test_large);
  add_device_test ("/convolve/errors", test_errors);
  return g_test_run ();
}
