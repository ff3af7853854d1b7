/* SPDX-License-Identifier: MIT
 *
 * Steps as a text file.
 */
#include "core/base/file_error.h"
#include "core/recipe/steps_text.h"
#include "tests/support/support.h"

#include <glib/gstdio.h>
#include <string.h>

static void
test_round_trip (void)
{
  static const char steps[] = "channel index=1 as='a b' | gaussian sigma=2.5 skip=yes | otsu from='a b'";
  g_autoptr (GError) error = NULL;
  g_autoptr (Recipe) recipe = recipe_parse (test_modules (), steps, &error), again = NULL;
  g_autofree char *folder = g_dir_make_tmp ("fovea-steps-XXXXXX", NULL), *path = g_build_filename (folder, "a", NULL);
  g_assert_no_error (error);
  g_autofree char *lines = steps_text_lines (recipe), *text = recipe_format (recipe), *read = NULL;
  g_assert_true (steps_text_save (path, lines, &error));
  struct stat about;
  const mode_t mask = umask (0);
  umask (mask);
  g_assert_cmpint (stat (path, &about), ==, 0);
  g_assert_cmpint (about.st_mode & 0777, ==, 0666 & ~mask); /* as any text, and no program */
  read = steps_text_load (path, &error);
  g_assert_no_error (error);
  again = recipe_parse (test_modules (), read, &error);
  g_assert_no_error (error);
  g_autofree char *text_again = recipe_format (again);
  g_assert_cmpstr (text_again, ==, text);
  g_unlink (path);
  g_assert_null (steps_text_load (path, &error));
  g_assert_error (error, FILE_ERROR, FILE_ERROR_MISSING);
  g_clear_error (&error);
  g_assert_null (steps_text_load (folder, &error));
  g_assert_error (error, FILE_ERROR, FILE_ERROR_OPEN);
  g_clear_error (&error);
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  g_assert_null (steps_text_load (path, &error)); /* at once */
  g_assert_error (error, FILE_ERROR, FILE_ERROR_OPEN);
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_reading (void)
{
  static const struct {
    const char *text, *steps; /* steps NULL: refused */
  } cases[] = {
    {"", ""},
    {"# it's a comment\n\n  otsu  \r\n\t#label\nlabel", "otsu | label"},
    {"otsu | label\nerosion", "otsu | label | erosion"},
    {"otsu as='a\nb'\nlabel", "otsu as='a\nb' | label"},
    {"otsu as='a\n# no comment\nb'\n # one that isn't closed\nlabel", "otsu as='a\n# no comment\nb' | label"},
    {"otsu as=\"a\\\"\n#b\"\n# last", "otsu as=\"a\\\"\n#b\""},
    {"otsu as='a\nlabel", NULL},
    {"\xff\xfe", NULL},
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *steps = steps_text_read (cases[i].text, strlen (cases[i].text), "x.steps", &error);
    g_assert_cmpstr (steps, ==, cases[i].steps);
    g_assert_true (!error == !!steps);
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/steps-text/round-trip", test_round_trip);
  g_test_add_func ("/steps-text/reading", test_reading);
  return g_test_run ();
}
