/* SPDX-License-Identifier: MIT
 *
 * How channels look, as text and back.
 */
#include "core/view/look.h"
#include "tests/support/init.h"

#include <string.h>

static void
test_text (void)
{
  const ViewChannel channels[] = {
    LOOK_USUAL,
    {.low = -1.5, .high = 0.1, .gamma = 0.5, .stretch = STRETCH_ASINH, .a = 0.25, .lut = "fire"},
    {.automatic = TRUE, .gamma = 1, .stretch = STRETCH_SQRT, .hidden = TRUE},
    {.automatic = TRUE, .zscale = TRUE, .gamma = 1},
    {.automatic = TRUE, .by_plane = TRUE, .gamma = 1},
  };
  g_autofree char *text = look_format (channels, 5), *none = look_format (channels, 0);
  g_autoptr (GArray) back = look_parse (text), empty = look_parse (none);
  g_assert_cmpstr (text, ==,
                   "limits=automatic; low=-1.5 high=0.1 gamma=0.5 stretch=asinh a=0.25 lut=fire;"
                   " limits=automatic stretch=sqrt hidden=yes; limits=zscale;"
                   " limits=automatic each=plane");
  g_assert_cmpuint (back->len, ==, 5);
  for (guint i = 0; i < 5; i++)
    g_assert_true (look_equal (&channels[i], &g_array_index (back, ViewChannel, i)));
  g_assert_cmpuint (empty->len, ==, 0);
}

/* What cannot be is refused as a whole. */
static void
test_wrong (void)
{
  static const char *const texts[] = {"low=1",
                                      "low=2 high=2",
                                      "low=1 high=nan",
                                      "gamma=1",
                                      "limits=wide",
                                      "limits=automatic gamma=0",
                                      "limits=automatic stretch=lg",
                                      "limits=automatic a=-1",
                                      "limits=automatic; low",
                                      "limits=automatic hidden=no",
                                      "limits=automatic each=slice",
                                      "limits=automatic width=2",
                                      "limits=automatic lut=a-name-that-is-longer-than-what-a-look-up-table-is-called",
                                      "limits=automatic;"};
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (GArray) settings = look_parse (texts[i]);
    if (settings)
      g_error ("%s is taken", texts[i]);
  }
}

static void
test_equal (void)
{
  const ViewChannel usual = LOOK_USUAL;
  ViewChannel others[10];
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    others[i] = usual;
  others[0].automatic = FALSE;
  others[1].low = 1;
  others[2].high = 1;
  others[3].gamma = 2;
  others[4].hidden = TRUE;
  others[5].stretch = STRETCH_LOG;
  others[6].a = 1;
  strcpy (others[7].lut, "fire");
  others[8].zscale = TRUE;
  others[9].by_plane = TRUE;
  g_assert_true (look_equal (&usual, &usual));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (look_equal (&usual, &others[i]));
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/look/text", test_text);
  g_test_add_func ("/look/wrong", test_wrong);
  g_test_add_func ("/look/equal", test_equal);
  return g_test_run ();
}
