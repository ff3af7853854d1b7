/* SPDX-License-Identifier: MIT
 *
 * FOVEA_MACROS names another folder of examples.
 */
#include "ui/macro/files.h"

#include "core/base/file_read.h"

#include <string.h>
#include <unistd.h>

#define HEAD 2048 /* bytes in which a key is looked for */

char *
macro_files_folder (void)
{
  return g_build_filename (g_get_user_config_dir (), "fovea", "macros", NULL);
}

/* ---- What is there ---- */

static int
by_name (gconstpointer a, gconstpointer b)
{
  g_autofree char *first = g_utf8_collate_key_for_filename (*(char *const *) a, -1);
  g_autofree char *second = g_utf8_collate_key_for_filename (*(char *const *) b, -1);
  return strcmp (first, second);
}

/* The paths of the macros in a folder, in the order of their names; none when it is not there. */
static GPtrArray *
list (const char *folder)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  for (const char *name; dir && (name = g_dir_read_name (dir));)
    if (g_str_has_suffix (name, ".lua") && *name != '.')
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (paths, by_name);
  return paths;
}

/* "count nuclei" of "count_nuclei.lua". */
static char *
label_of (const char *path)
{
  g_autofree char *name = g_filename_display_basename (path);
  *strrchr (name, '.') = '\0';
  return g_strdup (g_strdelimit (name, "_", ' '));
}

static void
append (GMenu *menu, const char *path, const char *action)
{
  g_autofree char *label = label_of (path);
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
  g_menu_item_set_action_and_target_value (item, action, g_variant_new_bytestring (path));
  g_menu_append_item (menu, item);
}

/* ---- Keys ---- */

/* What stands behind "-- key:" in the first lines of a file; NULL: nothing that GTK knows as a key. Free with g_free(). */
static char *
key_of (const char *path)
{
  char head[HEAD + 1];
  struct stat about;
  int fd = file_open_regular (path, 0, &about, NULL);
  gssize n = fd >= 0 ? read (fd, head, HEAD) : -1;
  guint key;
  GdkModifierType with;
  if (fd >= 0)
    close (fd);
  head[MAX (n, 0)] = '\0';
  g_auto (GStrv) lines = g_strsplit (head, "\n", -1);
  for (char **line = lines; *line; line++)
    if (g_str_has_prefix (g_strchug (*line), "-- key:")) {
      char *text = g_strstrip (*line + strlen ("-- key:"));
      return gtk_accelerator_parse (text, &key, &with) && key ? g_strdup (text) : NULL;
    }
  return NULL;
}

/* A key that something has, another macro too, stays where it is. */
static void
set_key (GtkApplication *application, const char *path)
{
  g_autofree char *key = key_of (path);
  if (!key)
    return;
  g_auto (GStrv) having = gtk_application_get_actions_for_accel (application, key);
  g_autoptr (GVariant) target = g_variant_ref_sink (g_variant_new_bytestring (path));
  g_autofree char *action = g_action_print_detailed_name ("win.run-macro", target);
  if (!*having)
    gtk_application_set_accels_for_action (application, action, (const char *[]){key, NULL});
}

static void
forget_keys (GtkApplication *application)
{
  g_auto (GStrv) actions = gtk_application_list_action_descriptions (application);
  for (char **action = actions; *action; action++)
    if (g_str_has_prefix (*action, "win.run-macro"))
      gtk_application_set_accels_for_action (application, *action, (const char *[]){NULL});
}

/* ---- Menus ---- */

static void
fill (GMenu *menu)
{
  GtkApplication *application = g_object_get_data (G_OBJECT (menu), "application");
  g_autofree char *folder = macro_files_folder ();
  g_autoptr (GPtrArray) paths = list (folder);
  g_menu_remove_all (menu);
  forget_keys (application);
  for (guint i = 0; i < paths->len; i++) {
    set_key (application, paths->pdata[i]);
    append (menu, paths->pdata[i], "win.run-macro");
  }
}

GMenuModel *
macro_files_menu (GtkApplication *application)
{
  GMenu *menu = g_menu_new ();
  g_autofree char *folder = macro_files_folder ();
  g_autoptr (GFile) file = g_file_new_for_path (folder);
  GFileMonitor *monitor = g_file_monitor_directory (file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
  g_object_set_data (G_OBJECT (menu), "application", application);
  if (monitor) { /* even if it is made later */
    g_signal_connect_object (monitor, "changed", G_CALLBACK (fill), menu, G_CONNECT_SWAPPED);
    g_object_set_data_full (G_OBJECT (menu), "monitor", monitor, g_object_unref);
  }
  fill (menu);
  return G_MENU_MODEL (menu);
}

GMenuModel *
macro_files_examples (void)
{
  const char *const folders[] = {g_getenv ("FOVEA_MACROS"), FOVEA_SOURCE_MACROS, FOVEA_INSTALLED_MACROS};
  GMenu *menu = g_menu_new ();
  for (guint i = 0; i < G_N_ELEMENTS (folders) && !g_menu_model_get_n_items (G_MENU_MODEL (menu)); i++) {
    g_autoptr (GPtrArray) paths = folders[i] ? list (folders[i]) : g_ptr_array_new ();
    for (guint j = 0; j < paths->len; j++)
      append (menu, paths->pdata[j], "win.open-macro-file");
  }
  return G_MENU_MODEL (menu);
}
