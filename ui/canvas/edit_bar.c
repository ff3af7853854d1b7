/* SPDX-License-Identifier: MIT
 */
#include "ui/canvas/edit_bar.h"

#include <glib/gi18n.h>

/* action NULL: a line. The image keeps its keys. */
static const struct {
  const char *label, *action, *target, *help;
} buttons[] = {
  {N_ ("Choose"), "edit.tool", "choose", N_ ("Click selects an object, drag pans (C)")},
  {N_ ("Split"), "edit.tool", "split", N_ ("A line that is drawn across an object divides it (S)")},
  {N_ ("Draw"), "edit.tool", "draw",
   N_ ("The area you draw becomes an object, or part of the object it starts in (D)")},
  {N_ ("Erase"), "edit.tool", "erase", N_ ("The area you draw becomes background (E)")},
  {NULL, NULL, NULL, NULL},
  {N_ ("Delete"), "edit.delete", NULL, N_ ("Delete the selected objects (Delete)")},
  {N_ ("Merge"), "edit.merge", NULL, N_ ("Merge the selected objects; Shift+click selects more (M)")},
  {N_ ("Fill"), "edit.fill", NULL, N_ ("Fill the holes of the objects that are chosen (F)")},
  {NULL, NULL, NULL, NULL},
  {N_ ("Done"), "win.tool", "hand", N_ ("Keep the objects as they are now (Escape)")},
};

static void
show_hint (GtkLabel *label, EditTool *tool)
{
  g_autofree char *hint = edit_tool_hint (tool);
  gtk_label_set_text (label, hint);
}

static GtkWidget *
make_button (guint i)
{
  const gboolean tool = !g_strcmp0 (buttons[i].action, "edit.tool");
  GtkWidget *button = tool ? gtk_toggle_button_new () : gtk_button_new ();
  gtk_button_set_label (GTK_BUTTON (button), _ (buttons[i].label));
  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_set_focus_on_click (button, FALSE);
  gtk_widget_set_tooltip_text (button, _ (buttons[i].help));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, _ (buttons[i].help),
                                  -1);
  if (buttons[i].target)
    gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", buttons[i].target);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), buttons[i].action);
  return button;
}

GtkWidget *
edit_bar_new (EditTool *tool)
{
  GtkWidget *bar = g_object_new (GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "accessible-role",
                                 GTK_ACCESSIBLE_ROLE_TOOLBAR, NULL);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), *hint = gtk_label_new (NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (bar), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Edit objects"), -1);
  gtk_widget_insert_action_group (bar, "edit", edit_tool_actions (tool));
  for (guint i = 0; i < G_N_ELEMENTS (buttons); i++)
    gtk_box_append (GTK_BOX (row), buttons[i].label ? make_button (i) : gtk_separator_new (GTK_ORIENTATION_VERTICAL));
  gtk_label_set_wrap (GTK_LABEL (hint), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (hint), 1); /* the buttons say how wide it is */
  gtk_widget_set_hexpand (hint, TRUE);
  gtk_box_append (GTK_BOX (bar), row);
  gtk_box_append (GTK_BOX (bar), hint);
  gtk_widget_add_css_class (bar, "edit-bar");
  gtk_widget_set_halign (bar, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (bar, GTK_ALIGN_END);
  g_signal_connect_object (tool, "hint", G_CALLBACK (show_hint), hint, G_CONNECT_SWAPPED);
  show_hint (GTK_LABEL (hint), tool);
  return bar;
}
