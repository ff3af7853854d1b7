/* SPDX-License-Identifier: MIT
 *
 * GTK rebuilds the entries when a menu changes, so each menu is searched when it is shown.
 */
#include "ui/widgets/menu_names.h"

#include "ui/widgets/naming.h"

static gboolean
is_entry (GtkWidget *widget)
{
  switch (gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (widget))) {
  case GTK_ACCESSIBLE_ROLE_MENU_ITEM:
  case GTK_ACCESSIBLE_ROLE_MENU_ITEM_CHECKBOX:
  case GTK_ACCESSIBLE_ROLE_MENU_ITEM_RADIO: return TRUE;
  default: return FALSE;
  }
}

/* The first one is what is written there, the next one its key. */
static GtkWidget *
label_of (GtkWidget *entry)
{
  GtkWidget *child = gtk_widget_get_first_child (entry);
  while (child && !GTK_IS_LABEL (child))
    child = gtk_widget_get_next_sibling (child);
  return child;
}

/* Menus beside it are named when they are shown. */
static void
name_entries (GtkWidget *widget)
{
  GtkWidget *label = is_entry (widget) ? label_of (widget) : NULL;
  if (label)
    naming_set (widget, gtk_label_get_text (GTK_LABEL (label)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    if (!GTK_IS_POPOVER (child))
      name_entries (child);
}

static gboolean
on_map (GSignalInvocationHint *hint, guint n, const GValue *values, gpointer unused)
{
  GtkWidget *widget = g_value_get_object (values);
  (void) hint, (void) n, (void) unused;
  if (GTK_IS_POPOVER_MENU (widget))
    name_entries (widget);
  return G_SOURCE_CONTINUE;
}

void
menu_names_start (void)
{
  if (gtk_get_minor_version () < 10)
    return;
  g_type_class_unref (g_type_class_ref (GTK_TYPE_WIDGET)); /* has no signals before */
  g_signal_add_emission_hook (g_signal_lookup ("map", GTK_TYPE_WIDGET), 0, on_map, NULL, NULL);
}
