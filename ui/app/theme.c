/* SPDX-License-Identifier: MIT
 *
 * What cannot be kept is used all the same.
 */
#include "ui/app/theme.h"

#include "core/base/settings.h"

#include <glib/gi18n.h>
#include <string.h>

static const char *const names[] = {"system", "light", "dark", NULL};
static const char group[] = "Window", key[] = "theme";

static void
keep_theme (const char *theme)
{
  g_autoptr (GError) error = NULL;
  if (!settings_set (settings_of_user (), group, key, theme, &error))
    g_info ("The colours cannot be kept: %s", error->message);
}

/* A theme that is dark by its name is exchanged for its light one. */
static void
apply_theme (const char *theme)
{
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

static void
on_change (GSimpleAction *action, GVariant *state)
{
  const char *theme = g_variant_get_string (state, NULL);
  if (!g_strv_contains (names, theme))
    return;
  apply_theme (theme);
  keep_theme (theme);
  g_simple_action_set_state (action, state);
}

void
theme_add (GtkApplication *application)
{
  g_autofree char *kept = settings_get (settings_of_user (), group, key);
  const char *theme = kept && g_strv_contains (names, kept) ? kept : names[0];
  g_autoptr (GSimpleAction) action =
    g_simple_action_new_stateful ("theme", G_VARIANT_TYPE_STRING, g_variant_new_string (theme));
  g_signal_connect (action, "change-state", G_CALLBACK (on_change), NULL);
  g_action_map_add_action (G_ACTION_MAP (application), G_ACTION (action));
  apply_theme (theme);
}

GMenuModel *
theme_menu_new (void)
{
  GMenu *menu = g_menu_new ();
  g_menu_append (menu, _ ("_As the System"), "app.theme::system");
  g_menu_append (menu, _ ("_Light"), "app.theme::light");
  g_menu_append (menu, _ ("_Dark"), "app.theme::dark");
  return G_MENU_MODEL (menu);
}
