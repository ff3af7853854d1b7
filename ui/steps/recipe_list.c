/* SPDX-License-Identifier: MIT
 */
#include "ui/steps/recipe_list.h"

#include "ui/steps/recipes.h"

#include <glib/gi18n.h>

static void
add_text (GtkWidget *box, const char *text, const char *class)
{
  GtkWidget *label = gtk_label_new (text);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, class);
  gtk_box_append (GTK_BOX (box), label);
}

static GtkWidget *
make_button (const RecipeCard *card)
{
  GtkWidget *button = gtk_button_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  add_text (box, card->title, "recipe");
  if (card->about)
    add_text (box, card->about, "caption");
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_add_css_class (button, "card");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, card->title, -1);
  gtk_actionable_set_action_target_value (GTK_ACTIONABLE (button), g_variant_new_bytestring (card->path));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.recipe");
  return button;
}

GtkWidget *
recipe_list_new (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  g_autoptr (GPtrArray) cards = recipes_list ();
  add_text (box, _ ("Start with a recipe, or add a step from the menus."), "dim-label");
  for (guint i = 0; i < cards->len; i++)
    gtk_box_append (GTK_BOX (box), make_button (cards->pdata[i]));
  return box;
}
