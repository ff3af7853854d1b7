/* SPDX-License-Identifier: MIT
 */
#include "command/volume_options.h"

#include "command/command.h"
#include "command/print.h"

#include <string.h>

gboolean volume_wanted, volume_planes;

fovea_recipe *
volume_options (fovea_recipe *recipe)
{
  g_autoptr (fovea_recipe) own = recipe;
  if (volume_wanted && volume_planes)
    return NULL;
  if (!volume_wanted && !volume_planes)
    return g_steal_pointer (&own);
  return fovea_recipe_with_volume (own, volume_wanted ? FOVEA_VOLUME_YES : FOVEA_VOLUME_NO, NULL);
}

/* "otsu, label": the steps that differ; "" when none does. */
static char *
different (const fovea_recipe *a, const fovea_recipe *b)
{
  g_autoptr (GString) names = g_string_new (NULL);
  for (unsigned n = 0; n < fovea_recipe_length (a); n++) {
    fovea_step one = {.size = sizeof one}, other = {.size = sizeof other};
    fovea_recipe_get_step (a, n, &one, NULL);
    fovea_recipe_get_step (b, n, &other, NULL);
    if (!one.skipped && strcmp (one.text, other.text))
      g_string_append_printf (names, "%s%s", names->len ? ", " : "", one.operation);
  }
  return g_string_free (g_steal_pointer (&names), FALSE);
}

fovea_recipe *
volume_choose (const fovea_recipe *recipe, const fovea_image *image, gboolean quiet)
{
  fovea_image_info info = {.size = sizeof info};
  if (!image || fovea_recipe_get_volume (recipe) || fovea_image_get_info (image, &info, NULL) || info.shape[2] < 2)
    return NULL;
  g_autoptr (fovea_recipe) volume = fovea_recipe_with_volume (recipe, FOVEA_VOLUME_OBJECTS, NULL);
  g_autofree char *names = different (recipe, volume);
  const gboolean taken = fovea_recipe_suggest_volume (recipe, image) == FOVEA_VOLUME_OBJECTS;
  if (*names && !quiet)
    print_error (taken
                   ? "%s: the slices are one volume; --planes takes each by itself."
                   : "%s: each slice by itself, since their distance is unknown; --volume takes them as one volume.",
                 names);
  return taken ? g_steal_pointer (&volume) : NULL;
}
