/* SPDX-License-Identifier: MIT
 *
 * A build tree is identified by a folder that meson creates and never installs, so that a folder next to an
 * installed program cannot replace the installed files.
 */
#include "core/base/system/home.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>

char *
home_folder (gboolean *shared)
{
  static const char here;
  struct link_map *file;
  Dl_info about;
  /* A program has no name there, but a file of the system's. */
  *shared = dladdr1 (&here, &about, (void **) &file, RTLD_DL_LINKMAP) && *file->l_name;
  g_autofree char *self = *shared ? realpath (file->l_name, NULL) : g_file_read_link ("/proc/self/exe", NULL);
  return self ? g_path_get_dirname (self) : g_get_current_dir ();
}

gboolean
home_is_built (const char *home)
{
  g_autofree char *mark = g_build_filename (home, "..", "meson-private", NULL);
  return g_file_test (mark, G_FILE_TEST_IS_DIR);
}
