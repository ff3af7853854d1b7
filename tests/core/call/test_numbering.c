/* SPDX-License-Identifier: MIT
 *
 * Labels know how they were numbered, through all that keeps them, and what takes them otherwise is refused.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

#include <string.h>

/* Two slices of two pixels each; labels of a file when they have that role. */
static Image *
slices (fv_role role)
{
  const double values[] = {1, 0, 0, 0, 1, 0, 0, 1};
  return image_of_planes (role == FV_LABELS ? FV_I32 : FV_U8, role, 1, 2, 1, 4, values);
}

static void
test_kept (void)
{
  static const struct {
    const char *steps;
    ImageNumbering numbering;
    fv_role role;
  } cases[] = {
    {"otsu", NUMBERED_UNKNOWN, FV_IMAGE},
    {"otsu | label", NUMBERED_BY_PLANE, FV_IMAGE},
    {"otsu | label volume=yes", NUMBERED_BY_VOLUME, FV_IMAGE},
    {"otsu | split volume=yes", NUMBERED_BY_VOLUME, FV_IMAGE},
    {"otsu | split method=imagej volume=yes", NUMBERED_BY_PLANE, FV_IMAGE},
    {"label as=m | watershed from=source markers=m", NUMBERED_BY_PLANE, FV_IMAGE},
    {"label volume=yes as=m | watershed from=source markers=m volume=yes", NUMBERED_BY_VOLUME, FV_IMAGE},
    {"label volume=yes | expand", NUMBERED_BY_VOLUME, FV_IMAGE},
    {"label volume=yes | voronoi", NUMBERED_BY_VOLUME, FV_IMAGE},
    {"label volume=yes | crop width=3", NUMBERED_BY_VOLUME, FV_IMAGE},
    {"label volume=yes | remove_small", NUMBERED_BY_VOLUME, FV_IMAGE},
    {"label | remove_small volume=yes", NUMBERED_BY_PLANE, FV_IMAGE},
    {"label volume=yes | interpret role=mask", NUMBERED_UNKNOWN, FV_IMAGE},
    {"label | label volume=yes", NUMBERED_BY_VOLUME, FV_IMAGE},
    {"gaussian skip=yes", NUMBERED_UNKNOWN, FV_LABELS},
    {"expand", NUMBERED_UNKNOWN, FV_LABELS},
    {"relabel", NUMBERED_BY_PLANE, FV_LABELS},
    {"relabel volume=yes", NUMBERED_BY_VOLUME, FV_LABELS},
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Image) source = slices (cases[i].role);
    g_autoptr (Run) run = run_of (cases[i].steps, source);
    g_autoptr (GError) error = NULL;
    g_test_message ("%s", cases[i].steps);
    run_execute (run, modules_device (test_modules (), "cpu", NULL), NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpint (image_info (run_last_image (run))->numbering, ==, cases[i].numbering);
  }
}

static void
test_refused (void)
{
  static const struct {
    const char *steps, *word; /* NULL: taken */
  } cases[] = {
    {"label | regionprops volume=yes", "label volume=yes"},
    {"label volume=yes | regionprops", "volume=yes here"},
    {"label | relabel volume=yes", "label volume=yes"},
    {"label volume=yes | relabel", "volume=yes here"},
    {"label | neighbours volume=yes", "plane by plane"},
    {"label as=m | watershed from=source markers=m volume=yes", "plane by plane"},
    {"label volume=yes as=a | label from=source as=b | assign from=a parents=b volume=yes", "plane by plane"},
    {"label | regionprops", NULL},
    {"label volume=yes | expand | regionprops volume=yes", NULL},
    {"label | substack slices=1 | regionprops volume=yes", NULL}, /* one slice has no other */
    {"volume=yes | otsu | label | regionprops", NULL},
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Image) source = slices (FV_IMAGE);
    g_autoptr (Run) run = run_of (cases[i].steps, source);
    g_autoptr (GError) error = NULL;
    const gboolean done = run_execute (run, modules_device (test_modules (), "cpu", NULL), NULL, &error);
    g_test_message ("%s: %s", cases[i].steps, error ? error->message : "done");
    g_assert_cmpint (done, ==, !cases[i].word);
    if (cases[i].word)
      g_assert_nonnull (strstr (error->message, cases[i].word));
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/numbering/kept", test_kept);
  g_test_add_func ("/numbering/refused", test_refused);
  return g_test_run ();
}
