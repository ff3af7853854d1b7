/* SPDX-License-Identifier: MIT
 *
 * The picture lies beside the recipe: count_objects.jpg of count_objects.steps.
 */
#include "ui/start/sample_cards.h"

#include "ui/steps/recipes.h"

#include <string.h>

enum { WIDTH = 232, HEIGHT = 145 };

static GtkWidget *
make_picture (const char *recipe)
{
  g_autofree char *stem = g_strndup (recipe, (gsize) (strrchr (recipe, '.') - recipe)),
                  *path = g_strconcat (stem, ".jpg", NULL);
  g_autoptr (GdkTexture) texture = gdk_texture_new_from_filename (path, NULL);
  GtkWidget *picture = gtk_picture_new_for_paintable (GDK_PAINTABLE (texture));
  gtk_picture_set_content_fit (GTK_PICTURE (picture), GTK_CONTENT_FIT_COVER);
  gtk_widget_set_size_request (picture, WIDTH, HEIGHT);
  return picture;
}

static GtkWidget *
make_text (const char *text, const char *class)
{
  GtkWidget *label = gtk_label_new (text);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 1); /* as wide as the picture */
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_yalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, class);
  return label;
}

static GtkWidget *
make_card (const RecipeCard *card)
{
  GtkWidget *button = gtk_button_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  gtk_box_append (GTK_BOX (box), make_picture (card->path));
  gtk_box_append (GTK_BOX (box), make_text (card->title, "heading"));
  if (card->about)
    gtk_box_append (GTK_BOX (box), make_text (card->about, "caption"));
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_set_valign (button, GTK_ALIGN_START);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, card->title, -1);
  gtk_actionable_set_action_target_value (GTK_ACTIONABLE (button), g_variant_new ("(s^ay)", card->sample, card->path));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "app.try-recipe");
  return button;
}

GtkWidget *
sample_cards_new (void)
{
  GtkWidget *grid = gtk_grid_new ();
  g_autoptr (GPtrArray) cards = recipes_list ();
  int n = 0;
  gtk_grid_set_column_spacing (GTK_GRID (grid), 8);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 8);
  for (guint i = 0; i < cards->len; i++) {
    const RecipeCard *card = cards->pdata[i];
    if (card->sample) {
      gtk_grid_attach (GTK_GRID (grid), make_card (card), n % 3, n / 3, 1, 1);
      n++;
    }
  }
  return grid;
}
