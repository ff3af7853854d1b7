/* SPDX-License-Identifier: MIT
 *
 * Popovers are left as they are: what is in them has names of its own.
 */
#include "naming.h"

static void
name_buttons (GtkWidget *widget, const char *name)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child)) {
    if (GTK_IS_POPOVER (child))
      continue;
    if (GTK_IS_BUTTON (child))
      gtk_accessible_update_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    else
      name_buttons (child, name);
  }
}

void
naming_set (GtkWidget *widget, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  name_buttons (widget, name);
}
