/* SPDX-License-Identifier: MIT
 *
 * Small files of every unlikely kind: reading them neither waits nor fills the memory, and what cannot be read is not lost.
 */
#include "core/base/file_read.h"
#include "core/base/settings.h"
#include "tests/support/init.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static char *folder;

static char *
path_of (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static void
check_fault (const char *path, FileError code, const char *word)
{
  g_autoptr (GError) error = NULL;
  gsize n;
  gint64 start = g_get_monotonic_time ();
  g_assert_null (file_read_small (path, 0, 1000, &n, &error));
  g_assert_error (error, FILE_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, word));
  g_assert_nonnull (strstr (error->message, path));
  g_assert_cmpint (g_get_monotonic_time () - start, <, G_USEC_PER_SEC);
}

static void
test_kinds (void)
{
  g_autofree char *pipe = path_of ("pipe"), *link = path_of ("link"), *large = path_of ("large"), *no = path_of ("no"),
                  *exact = path_of ("exact"), *text = NULL;
  g_autoptr (GError) error = NULL;
  gsize n;
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  g_assert_cmpint (symlink ("/dev/zero", link), ==, 0);
  g_assert_true (g_file_set_contents (large, "x", 1, NULL));
  g_assert_cmpint (truncate (large, (off_t) 1 << 40), ==, 0);
  check_fault (pipe, FILE_ERROR_OPEN, "not a regular file");
  check_fault (link, FILE_ERROR_OPEN, "not a regular file");
  check_fault (folder, FILE_ERROR_OPEN, "is a folder");
  check_fault (large, FILE_ERROR_FORMAT, "larger than 1000 bytes");
  check_fault (no, FILE_ERROR_MISSING, "does not exist");
  check_fault ("/proc/kallsyms", FILE_ERROR_OPEN, "changed while it was read"); /* its size is 0 there */
  if (geteuid ()) {
    g_assert_cmpint (g_chmod (large, 0), ==, 0);
    check_fault (large, FILE_ERROR_OPEN, "Permission denied");
  }
  g_autofree char *thousand = g_strnfill (1000, 'x');
  g_assert_true (g_file_set_contents (exact, thousand, -1, NULL));
  text = file_read_small (exact, 0, 1000, &n, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 1000);
  g_assert_cmpstr (text, ==, thousand);
  g_assert_true (g_file_set_contents (exact, "", 0, NULL));
  g_autofree char *nothing = file_read_small (exact, 0, 1000, &n, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (nothing, ==, "");
  g_unlink (pipe), g_unlink (link), g_unlink (large), g_unlink (exact);
}

static void
test_kept (void)
{
  g_autofree char *path = g_build_filename (folder, "new", "settings.ini", NULL), *parent = path_of ("new"),
                  *text = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (Settings) one = settings_new (path), other = settings_new (path), third = NULL;
  g_assert_null (settings_fault (one));
  g_assert_null (settings_get (one, "Window", "theme"));
  g_assert_true (settings_set (one, "Window", "theme", "da=rk\n;[x]", &error));
  g_assert_true (settings_set (other, "Results", "names", "imagej", &error)); /* knows nothing of the first */
  third = settings_new (path);
  g_autofree char *theme = settings_get (third, "Window", "theme"), *names = settings_get (third, "Results", "names");
  g_assert_cmpstr (theme, ==, "da=rk\n;[x]");
  g_assert_cmpstr (names, ==, "imagej");
  g_unlink (path);
  g_rmdir (parent);
}

/* Nothing is read, nothing is overwritten, and what is chosen holds all the same. */
static void
check_left (const char *path)
{
  g_autoptr (Settings) settings = settings_new (path);
  g_autoptr (GError) error = NULL;
  g_autofree char *theme = NULL;
  g_assert_nonnull (settings_fault (settings));
  g_assert_nonnull (strstr (settings_fault (settings), path));
  g_assert_null (settings_get (settings, "Window", "theme"));
  g_assert_false (settings_set (settings, "Window", "theme", "dark", &error));
  g_assert_nonnull (error);
  theme = settings_get (settings, "Window", "theme");
  g_assert_cmpstr (theme, ==, "dark");
}

static void
test_left (void)
{
  static const char *const texts[] = {"[Window", "theme=dark\n", "[Window]\nthe\xffme\n", "[Window]\ntheme=\0dark\n"};
  g_autofree char *pipe = path_of ("pipe"), *bad = path_of ("bad");
  struct stat about;
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  check_left (pipe);
  check_left (folder);
  g_assert_true (!g_lstat (pipe, &about) && S_ISFIFO (about.st_mode));
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    gsize size = i < 3 ? strlen (texts[i]) : 21, n;
    g_autofree char *after = NULL;
    g_assert_true (g_file_set_contents (bad, texts[i], (gssize) size, NULL));
    check_left (bad);
    g_assert_true (g_file_get_contents (bad, &after, &n, NULL));
    g_assert_cmpmem (after, n, texts[i], size);
  }
  g_unlink (pipe), g_unlink (bad);
}

int
main (int argc, char **argv)
{
  int status;
  init_tests (&argc, &argv);
  folder = g_dir_make_tmp ("fovea-settings-XXXXXX", NULL);
  g_test_add_func ("/small-files/kinds", test_kinds);
  g_test_add_func ("/settings/kept", test_kept);
  g_test_add_func ("/settings/left-as-it-is", test_left);
  status = g_test_run ();
  g_rmdir (folder);
  g_free (folder);
  return status;
}
