/* SPDX-License-Identifier: MIT */
#include "ui/app/new_files.h"

#include <string.h>

char *
new_files_stem (const Document *document)
{
  const char *path = document_path (document);
  char *stem = path ? g_filename_display_basename (path) : g_strdup ("image");
  char *dot = strrchr (stem, '.');
  if (dot > stem)
    *dot = 0;
  return stem;
}

char *
new_files_path (const char *folder, const char *stem, const char *ending, const GPtrArray *paths)
{
  for (guint n = 1;; n++) {
    g_autofree char *name =
      n == 1 ? g_strdup_printf ("%s%s", stem, ending) : g_strdup_printf ("%s-%u%s", stem, n, ending);
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (!g_file_test (path, G_FILE_TEST_EXISTS)
        && !g_ptr_array_find_with_equal_func ((GPtrArray *) paths, path, g_str_equal, NULL))
      return g_steal_pointer (&path);
  }
}
