/* SPDX-License-Identifier: MIT
 *
 * Begins a test program. To GLib a path that no test has, in `-p PATH` or `-r PATH`, is zero tests that pass; here it is a failure.
 */
#ifndef TESTS_SUPPORT_INIT_H
#define TESTS_SUPPORT_INIT_H

#include <gio/gio.h>

#include <stdlib.h>
#include <string.h>

/* The paths of all tests. In a listing lines of tests begin with "/", from GLib 2.80 on with "# /". */
static inline GHashTable *
list_tests (const char *program)
{
  char *words[] = {(char *) program, (char *) "-l", NULL};
  GHashTable *paths = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *listed = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GError) error = NULL;
  g_spawn_sync (NULL, words, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &listed, NULL, NULL,
                &error);
  g_assert_no_error (error);
  lines = g_strsplit (listed, "\n", -1);
  for (char **line = lines; *line; line++)
    g_hash_table_add (paths, g_strdup (g_str_has_prefix (*line, "# /") ? *line + 2 : *line));
  return paths;
}

/* A test has the path, or is in the suite of that name; below it at any depth for `-r`. */
static inline gboolean
is_path (GHashTable *paths, const char *option, const char *path)
{
  g_autofree char *suite = g_strdup_printf ("%s/", path);
  GHashTableIter iter;
  gpointer one;
  if (g_hash_table_contains (paths, path))
    return TRUE;
  g_hash_table_iter_init (&iter, paths);
  while (g_hash_table_iter_next (&iter, &one, NULL))
    if (g_str_has_prefix (one, suite) && (strcmp (option, "-p") || !strchr ((char *) one + strlen (suite), '/')))
      return TRUE;
  return FALSE;
}

/* g_test_init(), which ends the program when a path on the command line is that of no test. */
static inline void
init_tests (int *argc, char ***argv)
{
  static const char *const options[] = {"-p", "-r", "--run-prefix", NULL};
  g_auto (GStrv) words = g_strdupv (*argv);
  const char *const *given = (const char *const *) words;
  gboolean listed = g_strv_contains (given, "-l") || g_strv_contains (given, "--GTestSubprocess");
  g_autoptr (GHashTable) paths = NULL;
  for (int i = 1; !listed && i + 1 < *argc; i++) {
    if (!g_strv_contains (options, words[i]))
      continue;
    if (!paths)
      paths = list_tests (words[0]);
    if (!is_path (paths, words[i], words[i + 1])) {
      g_printerr ("No test has the path %s. -l lists them; -r /name runs all below /name.\n", words[i + 1]);
      exit (1);
    }
  }
  g_test_init (argc, argv, NULL);
}

#endif
