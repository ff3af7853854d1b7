/* SPDX-License-Identifier: MIT
 *
 * The menus hang in the tree of widgets below the bar; they are looked for when the window comes up.
 */
#include "ui/widgets/menu_guard.h"

static void
on_enter (GtkWidget *bar)
{
  gtk_widget_set_can_target (bar, FALSE);
}

static void
on_leave (GtkWidget *bar)
{
  gtk_widget_set_can_target (bar, TRUE);
}

static void
watch (GtkWidget *menu, GtkWidget *bar)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  gtk_event_controller_set_propagation_limit (motion, GTK_LIMIT_NONE); /* the menus that open beside it, too */
  g_signal_connect_object (motion, "enter", G_CALLBACK (on_enter), bar, G_CONNECT_SWAPPED);
  g_signal_connect_object (motion, "leave", G_CALLBACK (on_leave), bar, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (menu, motion);
}

/* Below a widget; bar: NULL above the bar. */
static void
look (GtkWidget *widget, GtkWidget *bar)
{
  bar = GTK_IS_POPOVER_MENU_BAR (widget) ? widget : bar;
  if (bar && GTK_IS_POPOVER (widget)) {
    watch (widget, bar);
    return;
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    look (child, bar);
}

static void
on_realize (GtkWidget *window)
{
  look (window, NULL);
}

void
menu_guard_add (GtkWidget *window)
{
  g_signal_connect (window, "realize", G_CALLBACK (on_realize), NULL);
}
