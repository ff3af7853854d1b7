/* SPDX-License-Identifier: MIT
 */
#include "ui/results/column_names.h"

#include "ui/widgets/kept_choice.h"

#include <glib/gi18n.h>

static const char *const choices[] = {"scikit-image", "imagej", NULL};

/* ---- Names ---- */

char *
column_names_header (const TableColumn *column)
{
  TableColumn named = *column;
  named.key = column_names_are_imagej () ? column->imagej : column->key;
  return table_header (&named);
}

/* ---- The choice ---- */

static GSimpleAction *
choice_of_user (void)
{
  static GSimpleAction *choice;
  if (!choice)
    choice = kept_choice_new ("column-names", "Tables", "names", choices);
  return choice;
}

gboolean
column_names_are_imagej (void)
{
  return kept_choice_get (choice_of_user ()) == 1;
}

void
column_names_connect (GCallback changed, gpointer object)
{
  g_signal_connect_object (choice_of_user (), "notify::state", changed, object, G_CONNECT_SWAPPED);
}

void
column_names_add (GtkApplication *application)
{
  g_action_map_add_action (G_ACTION_MAP (application), G_ACTION (choice_of_user ()));
}

GMenuModel *
column_names_menu_new (void)
{
  GMenu *menu = g_menu_new ();
  g_menu_append (menu, _ ("Names as in _scikit-image: area, intensity_mean"), "app.column-names::scikit-image");
  g_menu_append (menu, _ ("As in _ImageJ: Area, Mean"), "app.column-names::imagej");
  return G_MENU_MODEL (menu);
}
