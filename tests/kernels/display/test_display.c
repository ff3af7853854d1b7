/* SPDX-License-Identifier: MIT
 *
 * What is drawn over an image wider than what is drawn at a time.
 */
#include "tests/support/support.h"

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_device_test ("/display/outline", test_outline);
  return g_test_run ();
}
