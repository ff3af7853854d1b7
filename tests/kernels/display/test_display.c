/* SPDX-License-Identifier: MIT
 *
 * What is drawn over an image wider than what is drawn at a time; how bright values are shown.
 */
#include "tests/support/support.h"

#include <math.h>

/* Screen pixels are four bytes of a row; black has only its last one. */
static gboolean
is_black (Image *screen, gint64 y, gint64 x)
{
  for (int c = 0; c < 3; c++)
    if (image_value (screen, 0, y, 4 * x + c) > 0)
      return FALSE;
  return TRUE;
}

/* Two objects side by side that fill the image: the outline is where they meet, and not at the border of the image. */
static void
test_outline (Device *device)
{
  enum { ROWS = 3, COLUMNS = 1600 };
  static const int seams[] = {1, 511, 512, 513, 1024, 1537, 1599};
  for (guint i = 0; i < G_N_ELEMENTS (seams); i++) {
    g_autofree double *values = g_new0 (double, ROWS *COLUMNS), *labels = g_new (double, ROWS *COLUMNS);
    for (int k = 0; k < ROWS * COLUMNS; k++)
      labels[k] = k % COLUMNS < seams[i] ? 1 : 2;
    g_autoptr (Image) image = image_of (FV_U8, FV_IMAGE, ROWS, COLUMNS, values),
                      overlay = image_of (FV_U8, FV_LABELS, ROWS, COLUMNS, labels);
    CallResult result;
    run_step ("display overlay_mode=outline", image, overlay, device, &result, NULL);
    g_assert_cmpint (image_info (result.images[0])->columns, ==, 4 * COLUMNS);
    for (int y = 0; y < ROWS; y++)
      for (int x = 0; x < COLUMNS; x++)
        g_assert_cmpint (is_black (result.images[0], y, x), ==, x != seams[i] - 1 && x != seams[i]);
    call_result_clear (&result);
  }
}

/* Each of 4096 values at the level that C's own functions have for it, or beside it. */
static void
test_stretches (Device *device)
{
  static const char *const steps[] = {
    "display contrast='0 4095' stretch=log", "display contrast='0 4095 1 20000' stretch=log",
    "display contrast='0 4095' stretch=asinh", "display contrast='0 4095' stretch=sqrt"};
  double values[4096];
  for (int i = 0; i < 4096; i++)
    values[i] = i;
  g_autoptr (Image) image = image_of (FV_U16, FV_IMAGE, 1, 4096, values);
  for (guint s = 0; s < G_N_ELEMENTS (steps); s++) {
    CallResult result;
    run_step (steps[s], image, NULL, device, &result, NULL);
    for (int i = 0; i < 4096; i++) {
      double t = i / 4095.0;
      double expected = s == 0   ? log1p (1000 * t) / log1p (1000)
                        : s == 1 ? log1p (20000 * t) / log1p (20000)
                        : s == 2 ? asinh (10 * t) / asinh (10)
                                 : sqrt (t);
      g_assert_cmpfloat_with_epsilon (image_value (result.images[0], 0, 0, 4 * i), 255 * expected, 0.5 + 0.05);
    }
    call_result_clear (&result);
  }
}

static void
test_no_stretch (Device *device)
{
  static const struct {
    const char *step, *text;
  } wrong[] = {{"display stretch=cube", "Unknown stretch 'cube'"},
               {"display stretch=sqrt,lo", "Unknown stretch 'lo'"},
               {"display stretch=log contrast='0 1 1 -1'", "The a of stretch log must be from 0.01"},
               {"display stretch=asinh contrast='0 1 1 1e9'", "The a of stretch asinh"},
               {"display contrast='0 1 1 1 1'", "'low high gamma a'"},
               {"display contrast='0 1 0 1'", "Gamma must be above 0"}};
  g_autoptr (Image) image = image_of (FV_U8, FV_IMAGE, 1, 1, (const double[]){1});
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (GError) error = NULL;
    CallResult result;
    g_assert_false (run_step (wrong[i].step, image, NULL, device, &result, &error));
    g_assert_nonnull (strstr (error->message, wrong[i].text));
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/display/outline", test_outline);
  add_device_test ("/display/stretches", test_stretches);
  add_device_test ("/display/no-stretch", test_no_stretch);
  return g_test_run ();
}
