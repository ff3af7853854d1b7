/* SPDX-License-Identifier: MIT
 *
 * Begins a test program. To GLib a path that no test has, in `-p PATH` or `-r PATH`, is zero tests that pass; here it is a failure.
 */
#ifndef TESTS_SUPPORT_INIT_H
#define TESTS_SUPPORT_INIT_H

#include <gio/gio.h>

#include <stdlib.h>

/* Whether the program lists a test for this option and path. In a listing lines of tests begin with "/", from GLib 2.80 on with "# /". */
static inline gboolean
has_test (const char *program, const char *option, const char *path)
{
  char *words[] = {(char *) program, (char *) "-l", (char *) option, (char *) path, NULL};
  g_autofree char *listed = NULL;
  g_autoptr (GError) error = NULL;
  g_spawn_sync (NULL, words, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &listed, NULL, NULL,
                &error);
  g_assert_no_error (error);
  return g_regex_match_simple ("^(# )?/", listed, G_REGEX_MULTILINE, 0);
}

/* g_test_init(), which ends the program when a path on the command line is that of no test. */
static inline void
init_tests (int *argc, char ***argv)
{
  char **words = g_strdupv (*argv);
  const char *const *given = (const char *const *) words;
  static const char *const options[] = {"-p", "-r", "--run-prefix", NULL};
  gboolean listed = g_strv_contains (given, "-l") || g_strv_contains (given, "--GTestSubprocess");
  for (int i = 1; !listed && i + 1 < *argc; i++)
    if (g_strv_contains (options, words[i]) && !has_test (words[0], words[i], words[i + 1])) {
      g_printerr ("No test has the path %s. -l lists them; -r /name runs all below /name.\n", words[i + 1]);
      exit (1);
    }
  g_test_init (argc, argv, NULL);
  g_strfreev (words);
}

#endif
