/* SPDX-License-Identifier: MIT
 *
 * FOVEA_RECIPES names another folder of those that come with Fovea.
 */
#include "ui/steps/recipes.h"

#include "ui/widgets/folder_files.h"
#include "ui/widgets/shipped.h"
#include "ui/widgets/words.h"

#define ENDING ".steps"

char *
recipes_folder (void)
{
  return g_build_filename (g_get_user_config_dir (), "fovea", "recipes", NULL);
}

static void
card_free (gpointer data)
{
  RecipeCard *card = data;
  g_free (card->path);
  g_free (card->title);
  g_free (card->about);
  g_free (card->sample);
  g_free (card);
}

/* What the file says after the word, in the language of the window where it comes with Fovea; or NULL. */
static char *
said (const char *path, const char *word)
{
  g_autofree char *text = folder_files_says (path, word);
  return g_strdup (words_shown (text));
}

static void
add_cards (GPtrArray *cards, const GPtrArray *paths)
{
  for (guint i = 0; i < paths->len; i++) {
    RecipeCard *card = g_new (RecipeCard, 1);
    const char *path = paths->pdata[i];
    *card = (RecipeCard){g_strdup (path), said (path, "# recipe:"), said (path, "# about:"),
                         folder_files_says (path, "# sample:")};
    if (!card->title)
      card->title = folder_files_label (path);
    g_ptr_array_add (cards, card);
  }
}

GPtrArray *
recipes_list (void)
{
  g_autofree char *installed = shipped_data ("recipes");
  const char *const folders[] = {g_getenv ("FOVEA_RECIPES"), installed};
  GPtrArray *cards = g_ptr_array_new_with_free_func (card_free);
  g_autofree char *folder = recipes_folder ();
  g_autoptr (GPtrArray) shipped = folder_files_first (ENDING, folders, G_N_ELEMENTS (folders)),
                        own = folder_files (folder, ENDING);
  add_cards (cards, shipped);
  add_cards (cards, own);
  return cards;
}

static void
fill (GMenu *menu)
{
  g_autoptr (GPtrArray) cards = recipes_list ();
  g_menu_remove_all (menu);
  for (guint i = 0; i < cards->len; i++) {
    const RecipeCard *card = cards->pdata[i];
    folder_files_append (menu, card->title, "win.recipe", card->path);
  }
}

GMenuModel *
recipes_menu_new (void)
{
  GMenu *menu = g_menu_new ();
  g_autofree char *folder = recipes_folder ();
  folder_files_watch ((const char *[]){folder}, 1, G_CALLBACK (fill), menu);
  fill (menu);
  return G_MENU_MODEL (menu);
}
