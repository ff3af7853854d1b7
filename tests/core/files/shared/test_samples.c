/* SPDX-License-Identifier: MIT
 *
 * Interleaved samples: one pixel, wherever it is, makes a picture colored or transparent.
 */
#include "core/files/shared/samples.h"

#include "tests/support/support.h"

enum { ROWS = 3, COLUMNS = 4, PADDING = 5 }; /* samples that are behind each row */

/* All samples have `value`, but for sample s of pixel `odd`, which has one less. */
static Image *
picture (fv_type type, guint samples, guint8 value, guint odd, guint s, gboolean see_gray)
{
  guint size = type == FV_U8 ? 1 : 2, row = (COLUMNS * samples + PADDING) * size;
  g_autofree guint8 *pixels = g_malloc0 (ROWS * row);
  FilesSamples from = {pixels, row, samples, FALSE};
  const ImageInfo info = {
    .type = type, .frames = 1, .channels = 1, .depth = 1, .rows = ROWS, .columns = COLUMNS, .spacing = {1, 1, 1}};
  for (guint i = 0; i < ROWS * COLUMNS; i++)
    for (guint k = 0; k < samples; k++) {
      guint8 *at = pixels + i / COLUMNS * row + (i % COLUMNS * samples + k) * size;
      at[0] = value - (i == odd && k == s);
      if (size == 2)
        at[1] = value;
    }
  if (see_gray)
    from.gray = files_samples_are_gray (&from, ROWS, COLUMNS);
  return files_samples_image (&info, &from, NULL);
}

static void
assert_channels (Image *image, gint64 channels, guint odd, gint64 odd_channel, double value)
{
  g_assert_cmpint (image_info (image)->channels, ==, channels);
  for (gint64 c = 0; c < channels; c++)
    for (guint i = 0; i < ROWS * COLUMNS; i++)
      g_assert_cmpfloat (image_value (image, c, i / COLUMNS, i % COLUMNS), ==, value - (c == odd_channel && i == odd));
}

static void
test_color (void)
{
  for (guint odd = 0; odd <= ROWS * COLUMNS; odd++)
    for (guint s = 0; s < 3; s++) {
      g_autoptr (Image) image = picture (FV_U8, 3, 77, odd, s, TRUE);
      gboolean gray = odd == ROWS * COLUMNS;
      assert_channels (image, gray ? 1 : 3, odd, s, 77);
      g_assert_cmpint (image_info (image)->role, ==, gray ? FV_IMAGE : FV_RGB);
    }
}

static void
test_alpha (void)
{
  static const fv_type types[] = {FV_U8, FV_U16};
  for (guint t = 0; t < 2; t++)
    for (guint samples = 2; samples <= 4; samples += 2)
      for (guint odd = 0; odd <= ROWS * COLUMNS; odd++) {
        g_autoptr (Image) image = picture (types[t], samples, 255, odd, samples - 1, FALSE);
        gboolean opaque = odd == ROWS * COLUMNS;
        assert_channels (image, samples - opaque, odd, samples - 1, types[t] == FV_U8 ? 255 : 65535);
        if (!opaque)
          g_assert_cmpstr (image_info (image)->channel_names[samples - 1], ==, "alpha");
      }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/samples/colour", test_color);
  g_test_add_func ("/samples/alpha", test_alpha);
  return g_test_run ();
}
