/* SPDX-License-Identifier: MIT
 */
#include "ui/shell/panel_sides.h"

#include "ui/widgets/kept_choice.h"

#include <glib/gi18n.h>

static const char *const steps_names[] = {"end", "start", "below", NULL};
static const char *const tables_names[] = {"below", "end", "start", NULL};
static const PanelSide steps_sides[] = {PANEL_END, PANEL_START, PANEL_BELOW};
static const PanelSide tables_sides[] = {PANEL_BELOW, PANEL_END, PANEL_START};

static GSimpleAction *
steps_of_user (void)
{
  static GSimpleAction *choice;
  if (!choice)
    choice = kept_choice_new ("steps-place", "Panels", "steps", steps_names);
  return choice;
}

static GSimpleAction *
tables_of_user (void)
{
  static GSimpleAction *choice;
  if (!choice)
    choice = kept_choice_new ("tables-place", "Panels", "tables", tables_names);
  return choice;
}

PanelSide
panel_sides_of_steps (void)
{
  return steps_sides[kept_choice_get (steps_of_user ())];
}

PanelSide
panel_sides_of_tables (void)
{
  return tables_sides[kept_choice_get (tables_of_user ())];
}

void
panel_sides_connect (GCallback changed, gpointer object)
{
  g_signal_connect_object (steps_of_user (), "notify::state", changed, object, G_CONNECT_SWAPPED);
  g_signal_connect_object (tables_of_user (), "notify::state", changed, object, G_CONNECT_SWAPPED);
}

void
panel_sides_add (GtkApplication *application)
{
  g_action_map_add_action (G_ACTION_MAP (application), G_ACTION (steps_of_user ()));
  g_action_map_add_action (G_ACTION_MAP (application), G_ACTION (tables_of_user ()));
}

/* A menu names sides as they are seen. */
static void
add_sides (GMenu *menu, const char *title, const char *action)
{
  g_autoptr (GMenu) section = g_menu_new ();
  const gboolean turned = gtk_widget_get_default_direction () == GTK_TEXT_DIR_RTL;
  g_autofree char *left = g_strconcat (action, turned ? "::end" : "::start", NULL),
                  *right = g_strconcat (action, turned ? "::start" : "::end", NULL),
                  *below = g_strconcat (action, "::below", NULL);
  g_menu_append (section, _ ("_Left"), left);
  g_menu_append (section, _ ("_Right"), right);
  g_menu_append (section, _ ("_Below"), below);
  g_menu_append_section (menu, title, G_MENU_MODEL (section));
}

GMenuModel *
panel_sides_menu_new (void)
{
  GMenu *menu = g_menu_new ();
  add_sides (menu, _ ("Steps and Display"), "app.steps-place");
  add_sides (menu, _ ("Tables and Plots"), "app.tables-place");
  return G_MENU_MODEL (menu);
}

void
panel_sides_put (GtkPaned *paned, GtkWidget *main, GtkWidget *panel, PanelSide side)
{
  const gboolean first = side == PANEL_START;
  g_object_ref (main);
  g_object_ref (panel);
  gtk_paned_set_start_child (paned, NULL);
  gtk_paned_set_end_child (paned, NULL);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (paned),
                                  side == PANEL_BELOW ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_paned_set_start_child (paned, first ? panel : main);
  gtk_paned_set_end_child (paned, first ? main : panel);
  gtk_paned_set_resize_start_child (paned, !first);
  gtk_paned_set_resize_end_child (paned, first);
  gtk_paned_set_shrink_start_child (paned, !first);
  gtk_paned_set_shrink_end_child (paned, first);
  g_object_unref (main);
  g_object_unref (panel);
}
