/* SPDX-License-Identifier: MIT
 *
 * flows: objects that can be told by hand, since each pixel's flow leads to a pixel of its object in one step.
 */
#include "tests/support/support.h"

#include <math.h>

/* A drawing of objects: letters are objects, a capital letter is where the paths of its pixels end, any other character is background. */
typedef struct Drawing {
  const char *rows[16];
} Drawing;

static gint64
rows_of (const Drawing *d)
{
  gint64 n = 0;
  while (d->rows[n])
    n++;
  return n;
}

static gint64
columns_of (const Drawing *d)
{
  return (gint64) strlen (d->rows[0]);
}

static void
end_of (const Drawing *d, char letter, gint64 *y, gint64 *x)
{
  for (*y = 0; *y < rows_of (d); ++*y)
    for (*x = 0; *x < columns_of (d); ++*x)
      if (d->rows[*y][*x] == g_ascii_toupper (letter))
        return;
  g_error ("%c has no end", letter);
}

/* The network's output of which these objects are made. */
static Image *
output_of (const Drawing *d)
{
  const gint64 rows = rows_of (d), columns = columns_of (d), n = rows * columns;
  g_autofree double *values = g_new0 (double, 3 * n);
  for (gint64 i = 0; i < n; i++) {
    const gint64 y = i / columns, x = i % columns;
    const char letter = d->rows[y][x];
    gint64 to_y = y, to_x = x;
    if (g_ascii_isalpha (letter))
      end_of (d, letter, &to_y, &to_x);
    values[i] = 5 * (double) (to_y - y);
    values[n + i] = 5 * (double) (to_x - x);
    values[2 * n + i] = g_ascii_isalpha (letter) ? 1 : -1;
  }
  return image_of_planes (FV_F32, FV_IMAGE, 3, 1, rows, columns, values);
}

/* The labels must be those of the second drawing: digits are labels, all else is background. */
static void
check (const char *step, Image *image, const Drawing *expected, Device *device)
{
  CallResult result = {0};
  double objects = 0;
  run_step (step, image, NULL, device, &result, NULL);
  for (gint64 y = 0; y < rows_of (expected); y++)
    for (gint64 x = 0; x < columns_of (expected); x++) {
      const char c = expected->rows[y][x];
      const double label = g_ascii_isdigit (c) ? c - '0' : 0;
      objects = MAX (objects, label);
      if (image_value (result.images[0], 0, y, x) != label)
        g_error ("%s: row %d, column %d: %g, not %g", step, (int) y, (int) x, image_value (result.images[0], 0, y, x),
                 label);
    }
  g_assert_cmpfloat (result.scalars[0], ==, objects);
  call_result_clear (&result);
}

static void
check_drawing (const char *step, const Drawing *drawing, const Drawing *expected, Device *device)
{
  g_autoptr (Image) image = output_of (drawing);
  check (step, image, expected, device);
}

/* Numbered by their first pixels; 11 ends make a seed, 10 do not. */
static void
test_numbers (Device *device)
{
  static const Drawing drawing = {{"............bbb.", /* b begins first, it ends last */
                                   "aaaa........bbb.", "aAaa........bbb.", "aaaa....cccc.bBb", "........cCccc..."}};
  static const Drawing expected = {
    {"............111.", "2222........111.", "2222........111.", "2222.........111", "................"}};
  check_drawing ("flows steps=1 flow_error=0 min_size=1", &drawing, &expected, device);
  check_drawing ("flows steps=77 flow_error=0 min_size=1", &drawing, &expected, device);
  static const Drawing more = {
    {"............bbb.", "aaaa........bbb.", "aAaa........bbb.", "aaaa...ccccc.bBb", "......c.cCcccc.."}};
  static const Drawing three = {
    {"............111.", "2222........111.", "2222........111.", "2222...33333.111", "......3.333333.."}};
  check_drawing ("flows steps=1 flow_error=0 min_size=12", &more, &three, device);
  static const Drawing large = {
    {"................", "................", "................", "................", "................"}};
  check_drawing ("flows steps=1 flow_error=0 min_size=13", &more, &large, device);
}

/* More than 40 % of the plane. */
static void
test_too_large (Device *device)
{
  static const Drawing kept = {{"aaaaaaaaaa", "aAaaaaaaaa", "..........", "..........", ".........."}},
                       label = {{"1111111111", "1111111111", "..........", "..........", ".........."}},
                       dropped = {{"aaaaaaaaaa", "aAaaaaaaaa", "a.........", "..........", ".........."}},
                       none = {{"..........", "..........", "..........", "..........", ".........."}};
  check_drawing ("flows steps=1 flow_error=0", &kept, &label, device);
  check_drawing ("flows steps=1 flow_error=0", &dropped, &none, device);
}

/* All that lies in a hole belongs to the object around it. Pixels of the background that touch at a corner are not connected. A hole that the border of
 * the image closes stays open. */
static void
test_holes (Device *device)
{
  static const Drawing drawing = {{"aaaaaaaaaaa.ccccc........", "a.........a.c...c..ddd...",
                                   "a.bbbbbb..a.ccCcc.d...d..", "a.bBbbbb..A.......d...D..",
                                   "a.........a.......d...d..", "aaaaaaaaaaa........ddd...",
                                   "........................."}},
                       filled = {{"11111111111.22222........", "11111111111.22222..333...", "11111111111.22222.33333..",
                                  "11111111111.......33333..", "11111111111.......33333..", "11111111111........333...",
                                  "........................."}};
  static const Drawing open = {{"a...a.ccc", "a...a.c.c", "A...a.c.C", "aaaaa.c.c", "......ccc"}},
                       one = {{"1...1.222", "1...1.222", "1...1.222", "11111.222", "......222"}};
  check_drawing ("flows steps=1 flow_error=0 min_size=1", &drawing, &filled, device);
  check_drawing ("flows steps=1 flow_error=0 min_size=1", &open, &one, device);
  check_drawing ("flows steps=1 flow_error=0 min_size=11", &open, &one, device);
}

/* Of two seeds that touch, the one with more ends takes the pixels of both. A basin needs three ends in each pixel. Of equal seeds the second takes what
 * both reach, and that is five pixels far. */
static void
test_basins (Device *device)
{
  static const Drawing touch = {{"aaaaaa..bbbbb...", "aaaaa.AB.bbbbb..", "................", "................"}},
                       taken = {{"111111..11111...", "11111.11.11111..", "................", "................"}},
                       apart = {{"aaaaaa..bbbbb...", "aaaaA..B.bbbbb..", "................", "................"}},
                       two = {{"111111..22222...", "11111..2.22222..", "................", "................"}},
                       three = {{"aaaaaa....", "aaaaaABbb.", "..........", ".........."}},
                       all = {{"111111....", "111111111.", "..........", ".........."}},
                       pair = {{"aaaaaa....", "aaaaaABb..", "..........", ".........."}},
                       left = {{"111111....", "111111....", "..........", ".........."}},
                       chain = {{"eeffgghhiiaaaaaaaaaabbbbbbbbbb", ".....EFGHIAB..................",
                                 "..............................", "..............................",
                                 ".............................."}},
                       far = {{"112222222222222222222222222222", ".....1222222..................",
                               "..............................", "..............................",
                               ".............................."}};
  const Drawing *const pairs[][2] = {{&touch, &taken}, {&apart, &two}, {&three, &all}, {&pair, &left}, {&chain, &far}};
  for (gsize i = 0; i < G_N_ELEMENTS (pairs); i++)
    check_drawing ("flows steps=1 flow_error=0 min_size=1", pairs[i][0], pairs[i][1], device);
}

/* A row of 14 pixels whose flows lead to the seventh, one pixel a step. The first also has the flow `rest` along y. */
static Image *
line (double rest, fv_type type)
{
  double values[3 * 40] = {0};
  for (int i = 0; i < 40; i++) {
    const int at = i - 10;
    const gboolean inside = at >= 0 && at < 14;
    values[i] = at == 0 ? 5 * rest : 0;
    values[40 + i] = !inside ? 7 : at < 6 ? 5 : at > 6 ? -5 : 0;
    values[80 + i] = inside ? 2 : 1;
  }
  return image_of_planes (type, FV_IMAGE, 3, 1, 1, 40, values);
}

/* Heat that begins in the seventh leads there. It leads that one on to the right, where there are more pixels: so the mean error is (1 + rest^2) / 14. */
static void
test_error (Device *device)
{
  static const Drawing found = {{"..........11111111111111................"}},
                       inner = {{"...........11111111111.................."}},
                       none = {{"........................................"}};
  for (guint i = 0; i < 2; i++) {
    const fv_type type = i ? FV_F64 : FV_F32;
    g_autoptr (Image) exact = line (0, type), bad = line (1, type), worse = line (-2, type);
    check ("flows probability=1 min_size=14 flow_error=0.07143", exact, &found, device);
    check ("flows probability=1 min_size=15 flow_error=0.07143", exact, &none, device);
    check ("flows probability=1 min_size=1 flow_error=0.07142", exact, &none, device);
    check ("flows probability=1 min_size=1 flow_error=0.14286", bad, &found, device);
    check ("flows probability=1 min_size=1 flow_error=0.14285", bad, &none, device);
    check ("flows probability=1 min_size=1 flow_error=0.35715", worse, &found, device);
    check ("flows probability=1 min_size=1 flow_error=0.35714", worse, &none, device);
    check ("flows probability=2 min_size=1 flow_error=0", exact, &none, device); /* none is above it */
    check ("flows probability=1 min_size=1 flow_error=0 steps=4", exact, &none, device);
    check ("flows probability=1 min_size=1 flow_error=0 steps=5", exact, &inner, device);
  }
}

/* Paths stop at the border; without a field pixels stay where they are. NaN: no flow, or background. */
static void
test_borders_and_nan (Device *device)
{
  enum { N = 40 };
  double values[3 * 2 * N] = {0};
  for (int i = 0; i < 2 * N; i++) {
    values[i] = -1e30;
    values[2 * N + i] = i % N < 9 ? -1000 : i % N > 30 ? INFINITY : NAN;
    values[4 * N + i] = i % N == 4 ? NAN : i % N < 9 ? INFINITY : i % N > 30 ? 1 : -INFINITY;
  }
  static const Drawing expected = {
    {"1111.1111...............................", "1111.1111..............................."}};
  g_autoptr (Image) image = image_of_planes (FV_F64, FV_IMAGE, 3, 1, 2, N, values);
  check ("flows flow_error=0 min_size=1", image, &expected, device);
}

/* Slices are planes of their own, which follow each other in each channel. */
static void
test_slices (Device *device)
{
  static const Drawing drawing = {{"aaaaa......", "aaAaa......", "aaaaa......", "..........."}};
  g_autoptr (Image) one = output_of (&drawing);
  double values[3 * 2 * 44] = {0};
  for (gint64 channel = 0; channel < 3; channel++)
    for (gint64 i = 0; i < 44; i++) {
      const double v = image_value (one, channel, i / 11, i % 11);
      values[channel * 88 + i] = channel == 2 ? -1 : v;
      values[channel * 88 + 44 + i] = v;
    }
  g_autoptr (Image) two = image_of_planes (FV_F32, FV_IMAGE, 3, 2, 4, 11, values);
  CallResult result = {0};
  run_step ("flows steps=1 flow_error=0", two, NULL, device, &result, NULL);
  g_assert_cmpint (image_info (result.images[0])->depth, ==, 2);
  g_assert_cmpint (image_info (result.images[0])->channels, ==, 1);
  g_assert_cmpfloat (image_value (result.images[0], 0, 0, 0), ==, 0);
  g_assert_cmpfloat (image_value (result.images[0], 1, 0, 0), ==, 1);
  g_assert_cmpfloat (result.scalars[0], ==, 1);
  call_result_clear (&result);
}

static void
test_refused (Device *device)
{
  for (gint64 channels = 1; channels <= 4; channels++) {
    g_autoptr (Image) image = image_of_planes (FV_F32, FV_IMAGE, channels, 3, 5, 6, NULL);
    g_autoptr (GError) error = NULL;
    CallResult result = {0};
    const gboolean done = run_step ("flows", image, NULL, device, &result, &error);
    g_assert_cmpint (done, ==, channels == 3);
    if (done)
      call_result_clear (&result);
    else if (!g_pattern_match_simple ("*three channels*hyperstack channels=3*", error->message))
      g_error ("%s", error->message);
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/flows/numbers", test_numbers);
  add_device_test ("/flows/too-large", test_too_large);
  add_device_test ("/flows/holes", test_holes);
  add_device_test ("/flows/basins", test_basins);
  add_device_test ("/flows/error", test_error);
  add_device_test ("/flows/borders-and-nan", test_borders_and_nan);
  add_device_test ("/flows/slices", test_slices);
  add_device_test ("/flows/refused", test_refused);
  return g_test_run ();
}
