/* SPDX-License-Identifier: MIT
 */
#include "ui/widgets/button.h"

GtkWidget *
button_with_icon (const char *icon, const char *help)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);
  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_set_tooltip_text (button, help);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, help, -1);
  return button;
}

GtkWidget *
button_with_text (const char *label, const char *help, GCallback clicked, gpointer object)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);
  gtk_widget_set_tooltip_text (button, help);
  g_signal_connect_object (button, "clicked", clicked, object, G_CONNECT_SWAPPED);
  return button;
}
