/* SPDX-License-Identifier: MIT
 */
#include "ui/results/column_names.h"

#include "core/base/settings.h"
#include "core/measure/column_names.h"

#include <glib/gi18n.h>
#include <string.h>

static const char *const choices[] = {"scikit-image", "imagej", NULL};
static const char group[] = "Tables", key[] = "names";

/* ---- Names ---- */

char *
column_names_header (const TableColumn *column)
{
  TableColumn named = *column;
  g_autofree char *name = column_names_are_imagej () ? column_name_imagej (column->key) : g_strdup (column->key);
  named.key = name;
  return table_header (&named);
}

/* ---- The choice ---- */

static GSimpleAction *
action_of_user (void)
{
  static GSimpleAction *action;
  if (!action) {
    g_autofree char *kept = settings_get (settings_of_user (), group, key);
    const char *choice = kept && g_strv_contains (choices, kept) ? kept : choices[0];
    action = g_simple_action_new_stateful ("column-names", G_VARIANT_TYPE_STRING, g_variant_new_string (choice));
  }
  return action;
}

gboolean
column_names_are_imagej (void)
{
  g_autoptr (GVariant) state = g_action_get_state (G_ACTION (action_of_user ()));
  return !strcmp (g_variant_get_string (state, NULL), "imagej");
}

void
column_names_connect (GCallback changed, gpointer object)
{
  g_signal_connect_object (action_of_user (), "notify::state", changed, object, G_CONNECT_SWAPPED);
}

static void
on_change (GSimpleAction *action, GVariant *state)
{
  const char *choice = g_variant_get_string (state, NULL);
  g_autoptr (GError) error = NULL;
  if (!g_strv_contains (choices, choice))
    return;
  if (!settings_set (settings_of_user (), group, key, choice, &error))
    g_info ("The names of columns cannot be kept: %s", error->message);
  g_simple_action_set_state (action, state);
}

void
column_names_add (GtkApplication *application)
{
  g_signal_connect (action_of_user (), "change-state", G_CALLBACK (on_change), NULL);
  g_action_map_add_action (G_ACTION_MAP (application), G_ACTION (action_of_user ()));
}

GMenuModel *
column_names_menu_new (void)
{
  GMenu *menu = g_menu_new ();
  g_menu_append (menu, _ ("As in _scikit-image: area, intensity_mean"), "app.column-names::scikit-image");
  g_menu_append (menu, _ ("As in _ImageJ: Area, Mean"), "app.column-names::imagej");
  return G_MENU_MODEL (menu);
}
