/* SPDX-License-Identifier: MIT
 *
 * Which tables of colors are one color in all its shades.
 */
#include "core/files/shared/imagej.h"
#include "tests/support/init.h"

/* Tables of colors from black to one color, but for a rounding; or from white to black. */
static void
test_ramp_color (void)
{
  static const struct {
    int top, index, off; /* red goes up to top, but for one entry */
    gboolean inverted;
    gint64 color;
  } cases[] = {{255, 0, 0, FALSE, 0xff0000},   {128, 0, 0, FALSE, 0x800000}, {255, 200, 1, FALSE, 0xff0000},
               {255, 3, -1, FALSE, 0xff0000},  {255, 200, 2, FALSE, -1},     {255, 3, -2, FALSE, -1},
               {254, 1, 1, FALSE, -1},         {255, 0, 0, TRUE, 0xffffff},  {255, 200, 1, TRUE, 0xffffff},
               {255, 200, -1, TRUE, 0xffffff}, {255, 200, 2, TRUE, -1},      {255, 200, -2, TRUE, -1}};
  for (guint k = 0; k < G_N_ELEMENTS (cases); k++) {
    guint8 red[256], other[256] = {0};
    gboolean inverted;
    for (int i = 0; i < 256; i++) {
      red[i] = (guint8) (cases[k].inverted ? 255 - i : (cases[k].top * i + 127) / 255);
      other[i] = cases[k].inverted ? red[i] : 0;
    }
    red[cases[k].index] = (guint8) (red[cases[k].index] + cases[k].off);
    g_assert_cmpint (files_imagej_ramp_color (red, other, other, &inverted), ==, cases[k].color);
    g_assert_cmpint (inverted, ==, cases[k].inverted);
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/ramp-color/ramp-color", test_ramp_color);
  return g_test_run ();
}
