/* SPDX-License-Identifier: MIT
 *
 * What macros see of folders and files.
 */
#include "core/base/file_read.h"
#include "core/base/file_target.h"
#include "core/base/natural.h"
#include "core/macro/cage.h"
#include "core/macro/state.h"

#include <string.h>

static const gsize largest_text = 64 << 20;

/* The whole path of what may be looked at; owned. */
static const char *
readable (lua_State *L, Macro *m, int i)
{
  GError *error = NULL;
  char *path = folders_read (m->folders, macro_text (L, i), &error);
  if (!path)
    macro_fail (m, error);
  return macro_own (m, path, g_free);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  return natural_compare (*(const char *const *) a, *(const char *const *) b);
}

/* Names in a folder, hidden ones left out, with a slash behind those of folders. */
static int
list_files (lua_State *L, Macro *m)
{
  GError *error = NULL;
  const char *path = readable (L, m, 1), *name;
  GDir *folder = g_dir_open (path, 0, &error);
  if (!folder)
    macro_fail (m, error);
  macro_own (m, folder, (GDestroyNotify) g_dir_close);
  GPtrArray *names = macro_own (m, g_ptr_array_new_with_free_func (g_free), (GDestroyNotify) g_ptr_array_unref);
  while ((name = g_dir_read_name (folder))) {
    g_autofree char *whole = g_build_filename (path, name, NULL);
    if (*name != '.')
      g_ptr_array_add (names, g_strconcat (name, g_file_test (whole, G_FILE_TEST_IS_DIR) ? "/" : "", NULL));
  }
  g_ptr_array_sort (names, compare);
  lua_createtable (L, (int) names->len, 0);
  for (guint i = 0; i < names->len; i++) {
    lua_pushstring (L, names->pdata[i]);
    lua_rawseti (L, -2, i + 1);
  }
  return 1;
}

static int
exists (lua_State *L, Macro *m)
{
  lua_pushboolean (L, g_file_test (readable (L, m, 1), G_FILE_TEST_EXISTS));
  return 1;
}

static int
is_folder (lua_State *L, Macro *m)
{
  lua_pushboolean (L, g_file_test (readable (L, m, 1), G_FILE_TEST_IS_DIR));
  return 1;
}

static int
get_name (lua_State *L, Macro *m)
{
  lua_pushstring (L, macro_own (m, g_path_get_basename (macro_text (L, 1)), g_free));
  return 1;
}

static int
get_stem (lua_State *L, Macro *m)
{
  char *name = macro_own (m, g_path_get_basename (macro_text (L, 1)), g_free);
  char *point = strrchr (name, '.');
  if (point && point > name)
    *point = 0;
  lua_pushstring (L, name);
  return 1;
}

static int
get_parent (lua_State *L, Macro *m)
{
  lua_pushstring (L, macro_own (m, g_path_get_dirname (macro_text (L, 1)), g_free));
  return 1;
}

static int
make_folder (lua_State *L, Macro *m)
{
  if (!m->options->output_folder)
    cage_make_folder (m, macro_text (L, 1));
  return 0;
}

static int
open_as_text (lua_State *L, Macro *m)
{
  GError *error = NULL;
  gsize n;
  const char *path = readable (L, m, 1);
  char *text = file_read_small (path, 0, largest_text, &n, &error);
  if (!text)
    macro_fail (m, error);
  folders_tell (m->folders, path);
  macro_own (m, text, g_free);
  lua_pushlstring (L, text, n);
  return 1;
}

static int
save_text (lua_State *L, Macro *m)
{
  GError *error = NULL;
  const char *text = macro_text (L, 1), *path = cage_file (m, NULL, macro_text (L, 2));
  if (!file_save_text (path, text, 0666, &error))
    macro_fail (m, error);
  return 0;
}

static int
get_folder (lua_State *L, Macro *m)
{
  lua_pushstring (L, folders_home (m->folders));
  return 1;
}

const MacroFunction macro_file_functions[] = {
  {"getFileList", "folder",
   "returns the names of the files and folders in a folder, in natural order (a2 before "
   "a10); names of folders end with a slash. Hidden ones are left out.",
   list_files},
  {"getMacroFolder", "", "returns the default folder for names without one: the macro's own.", get_folder},
  {"File.exists", "path", "returns whether the file or folder exists.", exists},
  {"File.isDirectory", "path", "returns whether it is a folder.", is_folder},
  {"File.getName", "path", "returns the last part of a path.", get_name},
  {"File.getNameWithoutExtension", "path", "returns the name without its extension.", get_stem},
  {"File.getParent", "path", "returns the folder of a path.", get_parent},
  {"File.makeDirectory", "path", "creates a folder if it does not exist.", make_folder},
  {"File.openAsString", "path", "returns the contents of a text file.", open_as_text},
  {"File.saveString", "text, path", "saves a string as .txt, .csv, .tsv, .json, .md or .log.", save_text},
  {0},
};
