/* SPDX-License-Identifier: MIT
 *
 * FOVEA_MACROS names another folder of examples.
 */
#include "ui/macro/files.h"

#include "ui/widgets/folder_files.h"
#include "ui/widgets/shipped.h"

#define ENDING ".lua"

char *
macro_files_folder (void)
{
  return g_build_filename (g_get_user_config_dir (), "fovea", "macros", NULL);
}

/* ---- Keys ---- */

/* NULL: none that GTK knows as a key. Free with g_free(). */
static char *
key_of (const char *path)
{
  g_autofree char *text = folder_files_says (path, "-- key:");
  guint key;
  GdkModifierType with;
  return text && gtk_accelerator_parse (text, &key, &with) && key ? g_steal_pointer (&text) : NULL;
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
append (GMenu *menu, const char *path, const char *action)
{
  g_autofree char *label = folder_files_label (path);
  folder_files_append (menu, label, action, path);
}

static void
fill (GMenu *menu)
{
  GtkApplication *application = g_object_get_data (G_OBJECT (menu), "application");
  g_autofree char *folder = macro_files_folder ();
  g_autoptr (GPtrArray) paths = folder_files (folder, ENDING);
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
  g_object_set_data (G_OBJECT (menu), "application", application);
  folder_files_watch ((const char *[]){folder}, 1, G_CALLBACK (fill), menu);
  fill (menu);
  return G_MENU_MODEL (menu);
}

GMenuModel *
macro_files_examples (void)
{
  g_autofree char *installed = shipped_data ("macros");
  const char *const folders[] = {g_getenv ("FOVEA_MACROS"), installed};
  GMenu *menu = g_menu_new ();
  g_autoptr (GPtrArray) paths = folder_files_first (ENDING, folders, G_N_ELEMENTS (folders));
  for (guint i = 0; i < paths->len; i++)
    append (menu, paths->pdata[i], "win.open-macro-file");
  return G_MENU_MODEL (menu);
}
