/* SPDX-License-Identifier: MIT
 *
 * Installed plugins are found relative to the home. FOVEA_PROGRAM_PLUGINS is their path from a program,
 * FOVEA_LIBRARY_PLUGINS from the library or the Python module.
 */
#include "core/ops/module_path.h"

#include "core/base/file_error.h"
#include "core/base/system/home.h"

#include <sys/stat.h>

char *
module_path_shipped (void)
{
  gboolean shared;
  g_autofree char *home = home_folder (&shared);
  const char *plugins = shared ? FOVEA_LIBRARY_PLUGINS : FOVEA_PROGRAM_PLUGINS;
  return g_canonicalize_filename (home_is_built (home) ? "../plugin" : plugins, home);
}

const char *
module_path_shipped_name (const char *folder)
{
  static const char with_cuda[] = MODULE_SHIPPED "-cuda.so";
  g_autofree char *path = g_build_filename (folder, with_cuda, NULL);
  return g_file_test (path, G_FILE_TEST_EXISTS) ? with_cuda : MODULE_SHIPPED ".so";
}

char **
module_path_others (void)
{
  const char *path = g_getenv ("FOVEA_PLUGIN_PATH");
  g_auto (GStrv) named = g_strsplit (path ? path : "", G_SEARCHPATH_SEPARATOR_S, -1);
  g_autofree char *user = g_build_filename (g_get_user_data_dir (), "fovea", "plugins", NULL);
  g_autoptr (GStrvBuilder) folders = g_strv_builder_new ();
  for (char **folder = named; *folder; folder++)
    if (**folder)
      g_strv_builder_add (folders, *folder);
  g_strv_builder_add (folders, user);
  return g_strv_builder_end (folders);
}

char *
module_path_decoders (void)
{
  g_autofree char *plugins = module_path_shipped (), *folder = g_canonicalize_filename ("../decoders", plugins);
  return g_file_test (folder, G_FILE_TEST_IS_DIR) ? g_steal_pointer (&folder) : NULL;
}

gboolean
module_path_is_safe (const char *path, GError **error)
{
  struct stat about;
  return stat (path, &about) || !(about.st_mode & S_IWOTH)
         || file_fail (error, FILE_ERROR_UNSUPPORTED, path,
                       "is writable by everyone, so nothing in it is loaded. Fix this with 'chmod o-w'.");
}
