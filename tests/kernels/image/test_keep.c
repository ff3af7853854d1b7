/* SPDX-License-Identifier: MIT
 *
 * keep: inputs that do not go together, and selections as masks.
 */
#include "core/base/error.h"
#include "core/run/execute.h"
#include "tests/support/support.h"

#include <string.h>

static void
test_selection (Device *device)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Image) source = image_random (FV_U16, FV_IMAGE, 2, 3, 20, 30, 5);
  g_autoptr (Run) first = run_of ("keep inside=rectangle(3,4,5,6)", source);
  g_autoptr (Run) same = run_of ("keep inside=rectangle(3,4,5,6)", source);
  g_autoptr (Run) other = run_of ("keep inside=rectangle(0,0,30,1)", source);
  g_assert_true (run_execute (first, device, NULL, &error));
  for (gint64 plane = 0; plane < 6; plane++) {
    const guint16 *was = image_plane (source, plane, NULL), *is = image_plane (run_last_image (first), plane, NULL);
    for (int y = 0; y < 20; y++)
      for (int x = 0; x < 30; x++)
        g_assert_cmpuint (is[y * 30 + x], ==, x >= 3 && x < 8 && y >= 4 && y < 10 ? was[y * 30 + x] : 0);
  }
  run_continue (same, first);
  g_assert_true (run_execute (same, device, NULL, &error));
  g_assert_true (run_last_image (same) == run_last_image (first));
  run_continue (other, first);
  g_assert_true (run_execute (other, device, NULL, &error));
  g_assert_cmpuint (((const guint16 *) image_plane (run_last_image (other), 0, NULL))[30], ==, 0);
  g_assert_cmpuint (((const guint16 *) image_plane (run_last_image (other), 0, NULL))[7], ==,
                    ((const guint16 *) image_plane (source, 0, NULL))[7]);
}

static void
test_wrong (void)
{
  static const char *const wrong[][2] = {
    {"keep", "needs inside"},
    {"keep inside=oval(1,2)", "oval"},
    {"keep from=oval(1,2,3,4) inside=source", "from= takes an image"},
    {"keep inside=square(1,2,3,4)", "square"},
    {"gaussian as=a(b", "cannot be called"},
    {"otsu as=mask | gaussian from=source output=same | zoom factor=2 | keep inside=mask",
     "It is 30 x 20 x 1 x 1, the image 60 x 40 x 1 x 1; columns and rows must be equal"},
    {"otsu as=mask | gaussian sigma=2 from=source as=g | keep from=source inside=mask outside=g", "without loss"},
  };
  g_autoptr (Image) source = image_random (FV_U8, FV_IMAGE, 1, 1, 20, 30, 5);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (Recipe) recipe = recipe_parse (test_modules (), wrong[i][0], &error);
    g_autoptr (Run) run = recipe ? run_new (recipe, source, RUN_KEEP_ALL) : NULL;
    if (run)
      g_assert_false (run_execute (run, modules_device (test_modules (), "cpu", NULL), NULL, &error));
    g_assert_nonnull (error);
    g_test_message ("%s", error->message);
    g_assert_nonnull (strstr (error->message, wrong[i][1]));
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/keep/selection", test_selection);
  g_test_add_func ("/keep/wrong", test_wrong);
  return g_test_run ();
}
