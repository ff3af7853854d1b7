/* SPDX-License-Identifier: MIT
 */
#include "ui/widgets/folder_files.h"

#include "core/base/file_read.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD 2048 /* bytes in which a word is looked for */

static int
by_name (gconstpointer a, gconstpointer b)
{
  g_autofree char *first = g_utf8_collate_key_for_filename (*(char *const *) a, -1);
  g_autofree char *second = g_utf8_collate_key_for_filename (*(char *const *) b, -1);
  return strcmp (first, second);
}

GPtrArray *
folder_files (const char *folder, const char *ending)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = folder ? g_dir_open (folder, 0, NULL) : NULL;
  for (const char *name; dir && (name = g_dir_read_name (dir));)
    if (g_str_has_suffix (name, ending) && *name != '.')
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (paths, by_name);
  return paths;
}

GPtrArray *
folder_files_first (const char *ending, const char *const *folders, guint n)
{
  GPtrArray *paths = folder_files (folders[0], ending);
  for (guint i = 1; i < n && !paths->len; i++) {
    g_ptr_array_unref (paths);
    paths = folder_files (folders[i], ending);
  }
  return paths;
}

char *
folder_files_label (const char *path)
{
  g_autofree char *name = g_filename_display_basename (path);
  *strrchr (name, '.') = '\0';
  return g_strdup (g_strdelimit (name, "_", ' '));
}

char *
folder_files_says (const char *path, const char *word)
{
  char head[HEAD + 1];
  struct stat about;
  int fd = file_open_regular (path, 0, &about, NULL);
  gssize n = fd >= 0 ? read (fd, head, HEAD) : -1;
  if (fd >= 0)
    close (fd);
  head[MAX (n, 0)] = '\0';
  g_auto (GStrv) lines = g_strsplit (head, "\n", -1);
  for (char **line = lines; *line; line++)
    if (g_str_has_prefix (g_strchug (*line), word))
      return g_utf8_make_valid (g_strstrip (*line + strlen (word)), -1);
  return NULL;
}

void
folder_files_append (GMenu *menu, const char *label, const char *action, const char *path)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
  g_menu_item_set_action_and_target_value (item, action, g_variant_new_bytestring (path));
  g_menu_append_item (menu, item);
}

/* ---- Watching ---- */

static gboolean
is_folder (const char *path, int listed)
{
  struct stat about;
  return listed == DT_DIR || (listed == DT_UNKNOWN && !lstat (path, &about) && S_ISDIR (about.st_mode));
}

static void
add_below (GPtrArray *folders, const char *folder, guint max)
{
  DIR *dir = opendir (folder);
  for (struct dirent *entry; dir && folders->len < max && (entry = readdir (dir));) {
    g_autofree char *path = *entry->d_name == '.' ? NULL : g_build_filename (folder, entry->d_name, NULL);
    if (path && is_folder (path, entry->d_type))
      g_ptr_array_add (folders, g_steal_pointer (&path));
  }
  if (dir)
    closedir (dir);
}

GPtrArray *
folder_files_below (const char *folder, guint max)
{
  GPtrArray *folders = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (folders, g_strdup (folder));
  for (guint i = 0; i < folders->len; i++)
    add_below (folders, folders->pdata[i], max);
  return folders;
}

gboolean
folder_files_watch (const char *const *folders, guint n, GCallback changed, gpointer object)
{
  static const char key[] = "folder-monitors";
  GHashTable *had = g_object_get_data (object, key),
             *monitors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  gboolean news = FALSE;
  for (guint i = 0; i < n; i++) {
    g_autoptr (GFile) file = g_file_new_for_path (folders[i]);
    GFileMonitor *monitor = had ? g_hash_table_lookup (had, folders[i]) : NULL;
    if (monitor)
      g_object_ref (monitor);
    else if ((monitor = g_file_monitor_directory (file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL))) {
      g_signal_connect_object (monitor, "changed", changed, object, G_CONNECT_SWAPPED);
      news = TRUE;
    }
    if (monitor)
      g_hash_table_replace (monitors, g_strdup (folders[i]), monitor);
  }
  g_object_set_data_full (object, key, monitors, (GDestroyNotify) g_hash_table_unref);
  return news;
}
