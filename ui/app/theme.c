/* SPDX-License-Identifier: MIT
 *
 * Dark by default, so that the image is the brightest part of the window.
 */
#include "ui/app/theme.h"

#include "ui/widgets/kept_choice.h"

#include <glib/gi18n.h>
#include <string.h>

static const char *const names[] = {"dark", "light", "system", NULL};

/* A theme that is dark by its name is exchanged for its light one. */
static void
apply_theme (GSimpleAction *choice)
{
  const char *theme = names[kept_choice_get (choice)];
  GtkSettings *settings = gtk_settings_get_default ();
  gtk_settings_reset_property (settings, "gtk-application-prefer-dark-theme");
  gtk_settings_reset_property (settings, "gtk-theme-name");
  if (!strcmp (theme, "system"))
    return;
  g_autofree char *name = NULL;
  g_object_get (settings, "gtk-theme-name", &name, NULL);
  if (!strcmp (theme, "light") && name && g_str_has_suffix (name, "-dark")) {
    name[strlen (name) - strlen ("-dark")] = 0;
    g_object_set (settings, "gtk-theme-name", name, NULL);
  }
  g_object_set (settings, "gtk-application-prefer-dark-theme", !strcmp (theme, "dark"), NULL);
}

void
theme_add (GtkApplication *application)
{
  g_autoptr (GSimpleAction) choice = kept_choice_new ("theme", "Window", "theme", names);
  g_signal_connect (choice, "notify::state", G_CALLBACK (apply_theme), NULL);
  g_action_map_add_action (G_ACTION_MAP (application), G_ACTION (choice));
  apply_theme (choice);
}

GMenuModel *
theme_menu_new (void)
{
  GMenu *menu = g_menu_new ();
  g_menu_append (menu, _ ("_Dark"), "app.theme::dark");
  g_menu_append (menu, _ ("_Light"), "app.theme::light");
  g_menu_append (menu, _ ("_As the System"), "app.theme::system");
  return G_MENU_MODEL (menu);
}
