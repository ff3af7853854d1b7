/* SPDX-License-Identifier: MIT
 *
 * What is under the pointer is chosen first, so that these are the actions of the menus: they are about what is chosen.
 */
#include "ui/app/context_menus.h"

#include "ui/app/step_actions.h"
#include "ui/app/menus.h"
#include "ui/app/tabs.h"
#include "ui/widgets/context_menu.h"

#include <glib/gi18n.h>

static GMenuModel *
pick (Shell *shell, const char *const *actions)
{
  return menus_pick (gtk_application_get_menubar (gtk_window_get_application (GTK_WINDOW (shell))), actions);
}

static Shell *
shell_of (gpointer page)
{
  return FOVEA_SHELL (gtk_widget_get_root (page));
}

/* What the canvas can do with objects that are chosen; else there is nothing to see of it. */
static void
add_edits (GMenuModel *menu)
{
  static const char *const edits[][2] = {{N_ ("_Delete Objects"), "edit.delete"},
                                         {N_ ("_Merge Objects"), "edit.merge"},
                                         {N_ ("_Fill Holes of Objects"), "edit.fill"}};
  g_autoptr (GMenu) part = g_menu_new ();
  for (guint i = 0; i < G_N_ELEMENTS (edits); i++) {
    g_autoptr (GMenuItem) item = g_menu_item_new (_ (edits[i][0]), edits[i][1]);
    g_menu_item_set_attribute (item, "hidden-when", "s", "action-disabled");
    g_menu_append_item (part, item);
  }
  g_menu_append_section (G_MENU (menu), NULL, G_MENU_MODEL (part));
}

static GMenuModel *
of_image (gpointer page, gboolean pointed, GdkRectangle *area)
{
  static const char *const actions[] = {"win.zoom-100",
                                        "win.zoom-fit",
                                        "win.zoom-object",
                                        "win.show-row",
                                        "",
                                        "win.measure",
                                        "win.keep-selection",
                                        "win.line-profile",
                                        "win.add-step::crop",
                                        "",
                                        "win.copy-figure",
                                        "win.export-figure",
                                        "win.duplicate",
                                        "",
                                        "win.display",
                                        "win.properties",
                                        NULL};
  (void) area;
  if (pointed)
    canvas_pick (page_canvas (page));
  GMenuModel *menu = pick (shell_of (page), actions);
  add_edits (menu);
  return menu;
}

static GMenuModel *
of_step (gpointer page, gboolean pointed, GdkRectangle *area)
{
  static const char *const actions[] = {"win.skip-step",
                                        "win.reset-step",
                                        "win.compare",
                                        "",
                                        "win.step-up",
                                        "win.step-down",
                                        "",
                                        "win.duplicate-step",
                                        "win.delete-step",
                                        "",
                                        "win.copy-step",
                                        "win.copy-steps",
                                        "win.paste-steps",
                                        "",
                                        "win.help::",
                                        NULL};
  g_autoptr (GMenuModel) devices = step_actions_devices (shell_of (page));
  (void) pointed, (void) area;
  GMenuModel *menu = pick (shell_of (page), actions);
  g_menu_append_submenu (G_MENU (menu), _ ("Device"), devices);
  return menu;
}

static GMenuModel *
of_selection (gpointer page, gboolean pointed, GdkRectangle *area)
{
  static const char *const actions[] = {"win.measure",
                                        "win.measure-list",
                                        "win.line-profile",
                                        "win.restrict",
                                        "",
                                        "win.rename-selection",
                                        "win.update-selection",
                                        "win.remove-selection",
                                        NULL};
  (void) pointed, (void) area;
  return pick (shell_of (page), actions);
}

void
context_menus_add (Page *page)
{
  Canvas *canvas = page_canvas (page);
  gtk_widget_insert_action_group (GTK_WIDGET (canvas), "edit", edit_tool_actions (canvas_edit_tool (canvas)));
  context_menu_add (GTK_WIDGET (canvas), of_image, page);
  context_menu_add (page_part (page, PAGE_STEPS), of_step, page);
  context_menu_add (page_part (page, PAGE_SELECTIONS), of_selection, page);
}

/* Where the tab of page i is in the row of them. */
static gboolean
tab_box (GtkNotebook *tabs, int i, GdkRectangle *box)
{
  GtkWidget *label = gtk_notebook_get_tab_label (tabs, GTK_WIDGET (tabs_page (tabs, i)));
  graphene_rect_t bounds;
  if (!gtk_widget_compute_bounds (gtk_widget_get_parent (label), GTK_WIDGET (tabs), &bounds))
    return FALSE;
  *box =
    (GdkRectangle){(int) bounds.origin.x, (int) bounds.origin.y, (int) bounds.size.width, (int) bounds.size.height};
  return TRUE;
}

/* By key it is that of the page in front, when the tabs have the focus. */
static GMenuModel *
of_tab (gpointer tabs, gboolean pointed, GdkRectangle *area)
{
  static const char *const actions[] = {
    "win.save", "win.save-steps", "win.export-figure", "",  "win.duplicate", "win.copy-path", "win.properties",
    "",         "win.close-page", "win.close-others",  NULL};
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (tabs));
  GdkRectangle box;
  for (int i = 0; tabs_page (tabs, i); i++) {
    Page *page = tabs_page (tabs, i);
    if (!tab_box (tabs, i, &box)
        || (pointed ? !gdk_rectangle_contains_point (&box, area->x, area->y)
                    : page != tabs_front (tabs) || !focus || gtk_widget_is_ancestor (focus, GTK_WIDGET (page))))
      continue;
    tabs_bring (tabs, page);
    *area = pointed ? *area : box;
    return pick (shell_of (tabs), actions);
  }
  return NULL;
}

void
context_menus_add_tabs (GtkNotebook *tabs)
{
  context_menu_add (GTK_WIDGET (tabs), of_tab, tabs);
}
