/* SPDX-License-Identifier: MIT
 */
#include "core/ops/operation_file.h"

#include "core/base/file_error.h"
#include "core/ops/module_check_text.h"

#include <string.h>
#include <sys/stat.h>

enum { MAX_BYTES = 1 << 20 };

static char *
own_folder (void)
{
  return g_build_filename (g_get_user_data_dir (), "fovea", "operations", NULL);
}

char **
operation_file_folders (void)
{
  const char *path = g_getenv ("FOVEA_OPERATION_PATH");
  g_auto (GStrv) named = g_strsplit (path ? path : "", G_SEARCHPATH_SEPARATOR_S, -1);
  g_autoptr (GStrvBuilder) folders = g_strv_builder_new ();
  g_autofree char *user = own_folder ();
  for (char **folder = named; *folder; folder++)
    if (**folder)
      g_strv_builder_add (folders, *folder);
  g_strv_builder_add (folders, user);
  return g_strv_builder_end (folders);
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

GPtrArray *
operation_file_list (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  const char *name;
  while (dir && (name = g_dir_read_name (dir)))
    if (g_str_has_suffix (name, OPERATION_SUFFIX) && *name != '.')
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (paths, compare_paths);
  return paths;
}

gboolean
operation_file_read (const char *path, char **key, char **text, GError **error)
{
  g_autofree char *name = g_path_get_basename (path), *read = NULL;
  g_autoptr (GError) why = NULL;
  struct stat about;
  gsize bytes;
  if (stat (path, &about) || !S_ISREG (about.st_mode) || about.st_size > MAX_BYTES)
    return file_fail (error, FILE_ERROR_OPEN, path,
                      "is not a file of an operation: such files are text of at most 1 MiB.");
  if (!g_file_get_contents (path, &read, &bytes, &why))
    return file_fail (error, FILE_ERROR_OPEN, path, "cannot be read: %s.", why->message);
  if (strlen (read) != bytes || !g_utf8_validate (read, -1, NULL))
    return file_fail (error, FILE_ERROR_FORMAT, path, "is not UTF-8 text.");
  name[strlen (name) - (g_str_has_suffix (name, OPERATION_SUFFIX) ? strlen (OPERATION_SUFFIX) : 0)] = 0;
  if (!module_check_key (name, &why) || !module_check_word (name, &why))
    return file_fail (error, FILE_ERROR_FORMAT, path, "does not name an operation: %s.", why->message);
  *key = g_steal_pointer (&name);
  *text = g_steal_pointer (&read);
  return TRUE;
}

char *
operation_file_path (const char *key)
{
  g_autofree char *folder = own_folder (), *name = g_strconcat (key, OPERATION_SUFFIX, NULL);
  return g_build_filename (folder, name, NULL);
}

gboolean
operation_file_write (const char *path, const char *text, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GError) why = NULL;
  g_mkdir_with_parents (folder, 0700);
  return g_file_set_contents (path, text, -1, &why)
         || file_fail (error, FILE_ERROR_WRITE, path, "cannot be written: %s.", why->message);
}
