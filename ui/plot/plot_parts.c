/* SPDX-License-Identifier: MIT */
#include "ui/plot/plot_parts.h"

GtkWidget *
plot_area_new (const char *name, int height, GtkDrawingAreaDrawFunc draw, gpointer owner)
{
  GtkWidget *area = g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, NULL);
  gtk_widget_set_size_request (area, 240, height);
  gtk_widget_set_hexpand (area, TRUE);
  gtk_widget_set_vexpand (area, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (area), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw, owner, NULL);
  return area;
}

GtkWidget *
plot_foot_new (const char *title, GtkLabel **note)
{
  GtkWidget *foot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *head = gtk_label_new (title);
  GtkWidget *text = gtk_label_new (NULL);
  *note = GTK_LABEL (text);
  gtk_widget_add_css_class (head, "heading");
  gtk_widget_add_css_class (text, "dim-label");
  gtk_label_set_xalign (*note, 0);
  gtk_label_set_ellipsize (*note, PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (text, TRUE);
  gtk_box_append (GTK_BOX (foot), head);
  gtk_box_append (GTK_BOX (foot), text);
  return foot;
}

void
plot_foot_add (GtkWidget *foot, GtkWidget *button)
{
  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_box_append (GTK_BOX (foot), button);
}
