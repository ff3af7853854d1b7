/* SPDX-License-Identifier: MIT
 */
#include "ui/shell/toolbar.h"

#include "ui/selection/tools.h"
#include "ui/shell/dragged_image.h"
#include "ui/widgets/button.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>

static GtkWidget *
make_tool (const ToolInfo *info)
{
  GtkWidget *button = gtk_toggle_button_new ();
  gtk_button_set_icon_name (GTK_BUTTON (button), info->icon);
  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_set_focus_on_click (button, FALSE); /* the image keeps its keys */
  gtk_widget_set_tooltip_text (button, _ (info->help));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, words_shown (info->name), -1);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.tool");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", info->name);
  return button;
}

static GtkWidget *
make_button (const char *icon, const char *action, const char *help)
{
  GtkWidget *button = button_with_icon (icon, help);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  return button;
}

GtkWidget *
toolbar_new (View *view)
{
  static const struct {
    const char *icon, *action, *help; /* icon NULL: a line */
  } tools[] = {
    {"document-open-symbolic", "app.open", N_ ("Open an image (Ctrl+O)")},
    {"document-save-symbolic", "win.save", N_ ("Save the image shown (Ctrl+S), or drag it to another program")},
    {NULL, NULL, NULL},
    {"fovea-undo-symbolic", "win.undo", N_ ("Undo (Ctrl+Z)")},
    {"fovea-redo-symbolic", "win.redo", N_ ("Redo (Ctrl+Shift+Z)")},
    {NULL, NULL, NULL},
    {"fovea-zoom-out-symbolic", "win.zoom-out", N_ ("Zoom out (-)")},
    {"fovea-zoom-in-symbolic", "win.zoom-in", N_ ("Zoom in (+)")},
    {"fovea-zoom-fit-symbolic", "win.zoom-fit", N_ ("Show the whole image (0)")},
    {NULL, NULL, NULL},
  };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  for (guint i = 0; i < G_N_ELEMENTS (tools); i++) {
    GtkWidget *tool = tools[i].icon ? make_button (tools[i].icon, tools[i].action, _ (tools[i].help))
                                    : gtk_separator_new (GTK_ORIENTATION_HORIZONTAL);
    gtk_box_append (GTK_BOX (box), tool);
    if (!g_strcmp0 (tools[i].action, "win.save"))
      dragged_image_from (tool, view);
  }
  for (int i = 0; i < TOOLS; i++)
    gtk_box_append (GTK_BOX (box), make_tool (&tool_infos[i]));
  gtk_widget_add_css_class (box, "tools");
  return box;
}
