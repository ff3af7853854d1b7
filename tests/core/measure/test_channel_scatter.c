/* SPDX-License-Identifier: MIT
 *
 * How many pixels have which pair of values, of cases that can be counted by hand; with numpy.histogram2d a window test compares.
 */
#include "core/measure/channel_scatter.h"

#include "tests/support/support.h"

#include <math.h>

static guint32
at (const ChannelScatter *s, int x, int y)
{
  return s->counts[y * s->cells[0] + x];
}

/* Two slices of two channels; the mask is one slice, for both, and leaves the last pixel out. */
static void
test_whole (void)
{
  const double values[] = {1, 1, 3, 9, /**/ 1, 2, 3, 9, /* channel b: */ 10, 10, 12, 90, /**/ 11, 12, 12, 90};
  g_autoptr (Image) image = image_of_planes (FV_U16, FV_IMAGE, 2, 2, 1, 4, values);
  g_autoptr (Image) mask = image_of (FV_U8, FV_MASK, 1, 4, (const double[]){255, 255, 1, 0});
  const ChannelScatterOf of = {{image, image}, mask, {0, 1}, 0};
  g_autoptr (ChannelScatter) s = channel_scatter_new (&of, NULL, NULL);
  g_assert_cmpint (s->pixels, ==, 6);
  g_assert_true (s->cells[0] == 3 && s->cells[1] == 3);
  g_assert_true (s->ranges[0].low == 0.5 && s->ranges[0].high == 3.5 && s->ranges[1].low == 9.5);
  g_assert_true (at (s, 0, 0) == 2 && at (s, 0, 1) == 1 && at (s, 1, 2) == 1 && at (s, 2, 2) == 2 && s->max == 2);
  g_autofree char *csv = channel_scatter_csv (s, (const char *const[]){"a, b", "c"});
  g_assert_cmpstr (csv, ==,
                   "\"a, b from\",\"a, b to\",c from,c to,pixels\n0.5,1.5,9.5,10.5,2\n0.5,1.5,10.5,11.5,1\n"
                   "1.5,2.5,11.5,12.5,1\n2.5,3.5,11.5,12.5,2\n");
}

/* What is not finite in one of them does not count, and many values share cells: 0 to 1023 in 256. */
static void
test_real (void)
{
  double a[1024], b[1024];
  for (int i = 0; i < 1024; i++) {
    a[i] = i;
    b[i] = i == 7 ? NAN : i == 8 ? INFINITY : i / 1023.0;
  }
  g_autoptr (Image) first = image_of (FV_U16, FV_IMAGE, 32, 32, a), second = image_of (FV_F32, FV_IMAGE, 32, 32, b);
  const ChannelScatterOf of = {{first, second}, NULL, {0, 0}, 0};
  g_autoptr (ChannelScatter) s = channel_scatter_new (&of, NULL, NULL);
  gint64 sum = 0;
  for (int i = 0; i < s->cells[0] * s->cells[1]; i++)
    sum += s->counts[i];
  g_assert_true (s->cells[0] == 256 && s->cells[1] == 256 && sum == 1022 && s->pixels == 1022);
  g_assert_true (at (s, 0, 0) == 4 && at (s, 1, 1) == 3 && at (s, 255, 255) >= 3);
}

/* It stops when it shall. */
static void
test_stops (void)
{
  g_autoptr (Image) image = image_of (FV_U8, FV_IMAGE, 1, 1, (const double[]){1});
  const ChannelScatterOf of = {{image, image}, NULL, {0, 0}, 0};
  Progress progress = {0};
  progress_stop (&progress);
  g_assert_null (channel_scatter_new (&of, &progress, NULL));
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/channel-scatter/whole", test_whole);
  g_test_add_func ("/channel-scatter/real", test_real);
  g_test_add_func ("/channel-scatter/stops", test_stops);
  return g_test_run ();
}
