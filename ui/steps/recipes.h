/* SPDX-License-Identifier: MIT
 *
 * Recipes: files of steps that are there to begin with and to be changed. Some come with Fovea, others lie in the user's folder. Their
 * first lines say what they are called, what they are for, and on which sample they can be tried:
 *
 *   # recipe: Count Objects
 *   # about: How many are there?
 *   # sample: nuclei_rgb.tif
 */
#ifndef UI_STEPS_RECIPES_H
#define UI_STEPS_RECIPES_H

#include <gtk/gtk.h>

typedef struct RecipeCard {
  char *path, *title;
  char *about, *sample; /* or NULL */
} RecipeCard;

/* Where the user's lie: fovea/recipes in the folder of settings. Free with g_free(). */
char *recipes_folder (void);
/* All of them, those that come with Fovea first. Free with g_ptr_array_unref(). */
GPtrArray *recipes_list (void);
/* A menu of them that stays up to date; its items activate win.recipe with the path. */
GMenuModel *recipes_menu_new (void);

#endif
