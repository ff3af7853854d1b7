/* SPDX-License-Identifier: MIT
 */
#include "ui/widgets/widget_line.h"

enum { SPACING = 8 };

GtkWidget *
widget_line_new (GtkWidget *first, ...)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING);
  va_list ap;
  va_start (ap, first);
  for (GtkWidget *widget = first; widget; widget = va_arg (ap, GtkWidget *))
    gtk_box_append (GTK_BOX (line), widget);
  va_end (ap);
  return line;
}

GtkSpinButton *
number_entry_new (double min, double max, double step, int chars, const char *name, const char *tip, GCallback changed,
                  gpointer object)
{
  GtkWidget *entry = gtk_spin_button_new_with_range (min, max, step);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), chars);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (entry), chars);
  gtk_widget_set_tooltip_text (entry, tip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_object (entry, "value-changed", changed, object, G_CONNECT_SWAPPED);
  return GTK_SPIN_BUTTON (entry);
}
