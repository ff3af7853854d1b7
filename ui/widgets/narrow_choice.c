/* SPDX-License-Identifier: MIT
 *
 * The list that comes down keeps GTK's own rows, with the mark at the chosen one.
 */
#include "ui/widgets/narrow_choice.h"

static gboolean
on_tooltip (GtkLabel *label, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  (void) x, (void) y, (void) keyboard;
  gtk_tooltip_set_text (tooltip, gtk_label_get_text (label));
  return pango_layout_is_ellipsized (gtk_label_get_layout (label)); /* else that of the choice */
}

static void
set_up (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);
  (void) factory;
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_has_tooltip (label, TRUE);
  g_signal_connect (label, "query-tooltip", G_CALLBACK (on_tooltip), NULL);
  gtk_list_item_set_child (item, label);
}

static void
bind (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  (void) factory;
  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)),
                      gtk_string_object_get_string (gtk_list_item_get_item (item)));
}

GtkWidget *
narrow_choice_new (GtkStringList *texts)
{
  GtkWidget *choice = gtk_drop_down_new (texts ? G_LIST_MODEL (texts) : NULL, NULL);
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
  g_signal_connect (factory, "setup", G_CALLBACK (set_up), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind), NULL);
  gtk_drop_down_set_list_factory (GTK_DROP_DOWN (choice), gtk_drop_down_get_factory (GTK_DROP_DOWN (choice)));
  gtk_drop_down_set_factory (GTK_DROP_DOWN (choice), factory);
  return choice;
}
