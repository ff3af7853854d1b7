/* SPDX-License-Identifier: MIT
 *
 * Popovers are left as they are: what is in them has names of its own.
 */
#include "ui/widgets/naming.h"

/* A name of its own, also where GTK names the widget by what is in it. */
static void
name_one (GtkWidget *widget, const char *name)
{
  gtk_accessible_reset_relation (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void
name_buttons (GtkWidget *widget, const char *name)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child)) {
    if (GTK_IS_POPOVER (child))
      continue;
    if (GTK_IS_BUTTON (child))
      name_one (child, name);
    else
      name_buttons (child, name);
  }
}

void
naming_set (GtkWidget *widget, const char *name)
{
  name_one (widget, name);
  name_buttons (widget, name);
}
