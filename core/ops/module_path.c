/* SPDX-License-Identifier: MIT
 *
 * A build tree is identified by a folder that meson creates and never installs, so that a folder next to an
 * installed program cannot replace the installed plugins.
 */
#include "core/ops/module_path.h"

#include "core/base/file_error.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <sys/stat.h>

/* The folder of this program, or of the shared library that this code is part of. */
static char *
home_folder (void)
{
  static const char here;
  struct link_map *file;
  Dl_info about;
  /* A program has no name there, but a file of the system's. */
  gboolean shared = dladdr1 (&here, &about, (void **) &file, RTLD_DL_LINKMAP) && *file->l_name;
  g_autofree char *self = shared ? realpath (file->l_name, NULL) : g_file_read_link ("/proc/self/exe", NULL);
  return self ? g_path_get_dirname (self) : g_strdup (".");
}

char *
module_path_shipped (void)
{
  g_autofree char *home = home_folder (), *mark = g_build_filename (home, "..", "meson-private", NULL);
  if (g_file_test (mark, G_FILE_TEST_IS_DIR))
    return g_build_filename (home, "..", "plugin", NULL);
  return g_path_is_absolute (FOVEA_PLUGIN_DIR) ? g_strdup (FOVEA_PLUGIN_DIR)
                                               : g_build_filename (home, FOVEA_PLUGIN_DIR, NULL);
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
  g_autofree char *home = home_folder (), *folder = g_build_filename (home, "decoders", NULL);
  gboolean ours = !g_path_is_absolute (FOVEA_PLUGIN_DIR) && g_file_test (folder, G_FILE_TEST_IS_DIR);
  return ours ? g_steal_pointer (&folder) : NULL;
}

gboolean
module_path_is_safe (const char *path, GError **error)
{
  struct stat about;
  return stat (path, &about) || !(about.st_mode & S_IWOTH)
         || file_fail (error, FILE_ERROR_UNSUPPORTED, path,
                       "is writable by everyone, so nothing in it is loaded. Fix this with 'chmod o-w'.");
}
