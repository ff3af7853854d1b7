/* SPDX-License-Identifier: MIT
 *
 * How fast the machine is: measured once, kept, and not believed on another machine.
 */
#include "core/run/cost.h"
#include "tests/support/support.h"

#include <glib/gstdio.h>
#include <string.h>

static const char workflow[] = "gaussian sigma=5 | otsu | erosion footprint=disk radius=2 | label as=cells | "
                               "regionprops intensity=source | label2rgb from=cells overlay=source";

static Device *
cpu (void)
{
  return modules_device (test_modules (), "cpu", NULL);
}

static char *
path_of_file (void)
{
  return g_build_filename (g_get_user_cache_dir (), "fovea", "speed.ini", NULL);
}

/* A program that starts now knows this much. */
static void
check_next_program (const char *test)
{
  g_test_trap_subprocess (test, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

static void
test_known (void)
{
  g_assert_true (speed_of_cpu (cpu ()).measured);
}

static void
test_unknown (void)
{
  const Speed speed = speed_of_cpu (cpu ());
  g_assert_false (speed.measured);
  g_assert_cmpfloat (speed.arithmetic_ns, >, 0);
}

/* The words of the file, with one taken for another. */
static void
replace_in_file (const char *word, const char *by)
{
  g_autofree char *path = path_of_file (), *text = NULL;
  g_autoptr (GString) s = NULL;
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  s = g_string_new (text);
  g_assert_cmpuint (g_string_replace (s, word, by, 0), >=, 1);
  g_assert_true (g_file_set_contents (path, s->str, -1, NULL));
}

/* Another version, another processor and a damaged file mean that it has to be measured again. */
static void
test_kept (void)
{
  gint64 start;
  Speed first, second;
  check_next_program ("/speed/subprocess/unknown");
  start = g_get_monotonic_time ();
  speed_measure (test_modules (), cpu (), NULL);
  first = speed_of_cpu (cpu ());
  g_test_message ("%.3f ns for a product, %.3f ns for a byte; measured in %.0f ms", first.arithmetic_ns, first.byte_ns,
                  (double) (g_get_monotonic_time () - start) / 1000);
  g_assert_true (first.measured);
  speed_measure (test_modules (), cpu (), NULL); /* it is known */
  second = speed_of_cpu (cpu ());
  g_assert_true (!memcmp (&first, &second, sizeof first));
  check_next_program ("/speed/subprocess/known");
  replace_in_file ("of=" FOVEA_VERSION " ", "of=0.0 ");
  check_next_program ("/speed/subprocess/unknown");
  replace_in_file ("of=0.0 ", "of=" FOVEA_VERSION " ");
  check_next_program ("/speed/subprocess/known");
  replace_in_file (cpu ()->fv->name, "Another processor");
  check_next_program ("/speed/subprocess/unknown");
  replace_in_file ("Another processor", cpu ()->fv->name);
  replace_in_file ("arithmetic_ns=", "arithmetic_ns=-");
  check_next_program ("/speed/subprocess/unknown");
  replace_in_file ("[cpu]", "[cpu");
  check_next_program ("/speed/subprocess/unknown");
}

/* A run takes what was predicted, within an order of magnitude, when the cores are otherwise idle. */
static void
test_near (void)
{
  g_autoptr (Image) source = image_random (FV_U16, FV_IMAGE, 1, 1, 1500, 1500, 1);
  double best = G_MAXDOUBLE, foreseen = 0;
  speed_measure (test_modules (), cpu (), NULL);
  const Speed speed = speed_of_cpu (cpu ());
  for (int i = 0; i < 3 || (i < 100 && foreseen < best / 10); i++) {
    g_autoptr (Run) run = run_of (workflow, source);
    g_autoptr (Plan) plan = plan_new (run, cpu ());
    foreseen = cost_of_steps (plan, &speed);
    g_assert_true (run_execute (run, cpu (), NULL, NULL));
    best = MIN (best, run_ms (run));
  }
  g_test_message ("%.1f ms were foreseen, %.1f ms it took", foreseen, best);
  g_assert_cmpfloat (foreseen, <, 10 * best);
  g_assert_cmpfloat (foreseen, >, best / 10);
}

/* A program that measures while another one does has a wrong picture of the machine; the next one need not. */
static void
test_foreseen (void)
{
  g_autofree char *path = path_of_file ();
  gboolean near = FALSE;
  for (int i = 0; i < 5 && !near; i++) {
    g_unlink (path);
    g_test_trap_subprocess ("/speed/subprocess/near", 0, 0);
    near = g_test_trap_has_passed ();
  }
  g_test_trap_assert_passed ();
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = NULL, *path = NULL, *inner = NULL;
  int status;
  if (!g_getenv ("FOVEA_TEST_CACHE")) {
    folder = g_dir_make_tmp ("fovea-speed-XXXXXX", NULL);
    g_setenv ("FOVEA_TEST_CACHE", folder, TRUE);
    g_setenv ("XDG_CACHE_HOME", folder, TRUE);
  }
  init_tests (&argc, &argv);
  path = path_of_file ();
  inner = g_path_get_dirname (path);
  g_test_add_func ("/speed/subprocess/known", test_known);
  g_test_add_func ("/speed/subprocess/unknown", test_unknown);
  g_test_add_func ("/speed/subprocess/near", test_near);
  g_test_add_func ("/speed/kept", test_kept);
  g_test_add_func ("/speed/foreseen", test_foreseen);
  status = g_test_run ();
  if (g_test_subprocess ())
    return status;
  g_unlink (path);
  g_rmdir (inner);
  if (folder)
    g_rmdir (folder);
  return status;
}
