/* SPDX-License-Identifier: MIT
 *
 * The list that comes down keeps GTK's own rows, with the mark at the chosen one.
 */
#include "ui/widgets/narrow_choice.h"

#define NOTES "notes" /* data of the choice: by text */
#define GAP "   "     /* between a text and its note */

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
narrow_choice_button (GtkWidget *choice)
{
  return gtk_widget_get_first_child (choice);
}

/* Its text in the list. Free with g_free(). */
static char *
listed (GtkStringObject *item, GtkDropDown *choice)
{
  GHashTable *notes = g_object_get_data (G_OBJECT (choice), NOTES);
  const char *text = gtk_string_object_get_string (item), *note = notes ? g_hash_table_lookup (notes, text) : NULL;
  return note && *note ? g_strconcat (text, GAP, note, NULL) : g_strdup (text);
}

/* Updates existing rows with listed(). New rows would take the focus away. */
static void
tell_rows (GtkWidget *widget, GtkDropDown *choice)
{
  if (GTK_IS_LABEL (widget)) {
    g_auto (GStrv) parts = g_strsplit (gtk_label_get_text (GTK_LABEL (widget)), GAP, 2);
    g_autoptr (GtkStringObject) item = gtk_string_object_new (parts[0] ? parts[0] : "");
    g_autofree char *text = listed (item, choice);
    gtk_label_set_text (GTK_LABEL (widget), text);
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    tell_rows (child, choice);
}

void
narrow_choice_set_notes (GtkWidget *choice, const char *const *notes)
{
  GHashTable *by_text = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GListModel *texts = gtk_drop_down_get_model (GTK_DROP_DOWN (choice));
  for (guint i = 0; i < g_list_model_get_n_items (texts) && notes[i]; i++)
    g_hash_table_insert (by_text, g_strdup (gtk_string_list_get_string (GTK_STRING_LIST (texts), i)),
                         g_strdup (notes[i]));
  g_object_set_data_full (G_OBJECT (choice), NOTES, by_text, (GDestroyNotify) g_hash_table_unref);
  for (GtkWidget *list = gtk_widget_get_next_sibling (narrow_choice_button (choice)); list;
       list = gtk_widget_get_next_sibling (list))
    tell_rows (list, GTK_DROP_DOWN (choice));
}

GtkWidget *
narrow_choice_new (GtkStringList *texts)
{
  GtkWidget *choice = gtk_drop_down_new (texts ? G_LIST_MODEL (texts) : NULL, NULL);
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
  g_signal_connect (factory, "setup", G_CALLBACK (set_up), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind), NULL);
  g_autoptr (GtkExpression) expression =
    gtk_cclosure_expression_new (G_TYPE_STRING, NULL, 0, NULL, G_CALLBACK (listed), choice, NULL);
  gtk_drop_down_set_expression (GTK_DROP_DOWN (choice), expression); /* first: otherwise GTK 4.18 builds a new
                                                                      * factory */
  gtk_drop_down_set_list_factory (GTK_DROP_DOWN (choice), gtk_drop_down_get_factory (GTK_DROP_DOWN (choice)));
  gtk_drop_down_set_factory (GTK_DROP_DOWN (choice), factory);
  return choice;
}
