/* SPDX-License-Identifier: MIT
 *
 * Images and macros that were opened here have a group of their own. It has no files of other programs, and none that file dialogs add by themselves,
 * such as saved tables and files that could not be opened. A path is a bytestring in the menu's items: it need not be UTF-8.
 */
#include "ui/shell/recent.h"

#include "core/base/file_read.h"
#include "core/files/plate/pattern.h"

#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#define IN_MENU 10
#define LARGEST (64 << 20) /* bytes of the desktop's list */

/* GTK 4.8 takes a list of groups for empty when the address of the first one's text ends with a zero byte: these are odd. */
static const char aligned_groups[][16]
  __attribute__ ((aligned (2))) = {[RECENT_IMAGES] = "-Fovea images", [RECENT_MACROS] = "-Fovea macros"};

static const char *
group_of (RecentKind kind)
{
  return aligned_groups[kind] + 1;
}

/* GTK would read the list even from a pipe, and block forever. */
static char *
find_fault (void)
{
  g_autofree char *path = g_build_filename (g_get_user_data_dir (), "recently-used.xbel", NULL);
  g_autoptr (GError) error = NULL;
  struct stat about;
  int fd = file_open_regular (path, 0, &about, &error);
  if (fd >= 0) {
    close (fd);
    if (about.st_size > LARGEST)
      file_fail (&error, FILE_ERROR_FORMAT, path, "is larger than %d MiB.", LARGEST >> 20);
  }
  return !error || g_error_matches (error, FILE_ERROR, FILE_ERROR_MISSING)
           ? NULL
           : g_strdup_printf (_ ("The list of recent files cannot be read: %s"), error->message);
}

const char *
recent_fault (void)
{
  static gboolean looked;
  static char *fault;
  if (!looked)
    fault = find_fault ();
  looked = TRUE;
  return fault;
}

void
recent_add (RecentKind kind, const char *path)
{
  if (recent_fault ())
    return;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *uri = g_file_get_uri (file), *type = g_content_type_guess (path, NULL, 0, NULL);
  g_autofree char *mime = g_content_type_get_mime_type (type), *start = g_strdup_printf ("%s %%u", g_get_prgname ());
  const GtkRecentData about = {.mime_type = mime ? mime : (char *) "application/octet-stream",
                               .app_name = (char *) g_get_application_name (),
                               .app_exec = start,
                               .groups = (char *[]){(char *) group_of (kind), NULL}};
  gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &about);
}

static int
newest_first (gconstpointer a, gconstpointer b)
{
  return g_date_time_compare (gtk_recent_info_get_modified ((GtkRecentInfo *) b),
                              gtk_recent_info_get_modified ((GtkRecentInfo *) a));
}

/* A file, a folder that was opened as an image, or a path with named parts in a folder. */
static gboolean
is_there (const char *path)
{
  g_autofree char *folder = plate_pattern_folder (path);
  return g_file_test (path, G_FILE_TEST_IS_REGULAR) || g_file_test (folder ? folder : path, G_FILE_TEST_IS_DIR);
}

/* With the folder of a path with named parts, whose last part alone says little. Free with g_free(). */
static char *
short_name (const char *path)
{
  g_autofree char *folder = plate_pattern_folder (path),
                  *canonical = g_canonicalize_filename (folder ? folder : path, NULL),
                  *name = g_filename_display_basename (canonical);
  return folder ? g_build_filename (name, path + strlen (folder), NULL) : g_steal_pointer (&name);
}

GPtrArray *
recent_paths (RecentKind kind, guint max)
{
  GList *items = recent_fault () ? NULL : gtk_recent_manager_get_items (gtk_recent_manager_get_default ());
  GList *all = g_list_sort (items, newest_first);
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  for (GList *at = all; at && paths->len < max; at = at->next) {
    char *path = gtk_recent_info_has_group (at->data, group_of (kind))
                   ? g_filename_from_uri (gtk_recent_info_get_uri (at->data), NULL, NULL)
                   : NULL;
    if (path && is_there (path))
      g_ptr_array_add (paths, path);
    else
      g_free (path);
  }
  g_list_free_full (all, (GDestroyNotify) gtk_recent_info_unref);
  return paths;
}

void
recent_connect (GCallback changed, gpointer object)
{
  if (!recent_fault ())
    g_signal_connect_object (gtk_recent_manager_get_default (), "changed", changed, object, G_CONNECT_SWAPPED);
}

/* An underscore is not a mnemonic here. */
static char *
label_of (const char *path)
{
  g_autofree char *name = short_name (path);
  g_auto (GStrv) parts = g_strsplit (name, "_", -1);
  return g_strjoinv ("__", parts);
}

static void
fill_recent (GMenu *menu)
{
  RecentKind kind = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (menu), "kind"));
  g_autoptr (GPtrArray) paths = recent_paths (kind, IN_MENU);
  g_menu_remove_all (menu);
  for (guint i = 0; i < paths->len; i++) {
    g_autofree char *label = label_of (paths->pdata[i]);
    g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
    g_menu_item_set_action_and_target_value (item, "app.open-recent", g_variant_new_bytestring (paths->pdata[i]));
    g_menu_append_item (menu, item);
  }
  if (!paths->len)
    g_menu_append (menu, _ ("No Files Yet"), "app.none"); /* a nonexistent action makes it insensitive */
}

GMenuModel *
recent_menu (RecentKind kind)
{
  GMenu *menu = g_menu_new ();
  g_object_set_data (G_OBJECT (menu), "kind", GUINT_TO_POINTER (kind));
  fill_recent (menu);
  recent_connect (G_CALLBACK (fill_recent), menu);
  return G_MENU_MODEL (menu);
}
