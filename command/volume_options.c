/* SPDX-License-Identifier: MIT
 */
#include "command/volume_options.h"

#include "command/command.h"
#include "command/print.h"

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

fovea_recipe *
volume_choose (const fovea_recipe *recipe, const fovea_image *image)
{
  char *said = NULL;
  g_autoptr (fovea_recipe) chosen = image ? fovea_recipe_for_image (recipe, image, &said, NULL) : NULL;
  const gboolean taken = chosen && fovea_recipe_get_volume (chosen) != fovea_recipe_get_volume (recipe);
  if (said)
    print_note (taken ? "%s; --planes processes each slice separately." : "%s; --volume processes them as one volume.",
                said);
  fovea_text_free (said);
  return taken ? g_steal_pointer (&chosen) : NULL;
}
