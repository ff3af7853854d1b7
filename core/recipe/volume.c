/* SPDX-License-Identifier: MIT
 */
#include "core/recipe/volume.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ops/args.h"

#include <string.h>

#define KEY "volume="

static const char *const texts[] = {NULL, KEY "no", KEY "yes", KEY "objects"};

const char *
volume_text (RecipeVolume said)
{
  return texts[said];
}

gboolean
volume_parse (const char *text, RecipeVolume *said, GError **error)
{
  g_auto (GStrv) words = text_words (text, NULL);
  if (!words || !words[0] || !g_str_has_prefix (words[0], KEY))
    return FALSE;
  for (*said = RECIPE_PLANES; *said < (RecipeVolume) G_N_ELEMENTS (texts); ++*said)
    if (!words[1] && !strcmp (words[0], texts[*said]))
      return TRUE;
  *said = RECIPE_UNSAID;
  step_error_set (error, FV_BAD_ARGUMENT, "volume",
                  "Before the steps, write volume=yes, volume=no or volume=objects, not '%s'.", text);
  return TRUE;
}

/* Whether its menu is one of those that find, separate or measure objects, or it makes a table of them. */
static gboolean
is_of_objects (const Op *op)
{
  static const char *const menus[] = {"Analyze", "Process/Binary", "Process/Threshold", "Process/Objects"};
  for (guint i = 0; i < G_N_ELEMENTS (menus); i++) {
    const gsize n = strlen (menus[i]);
    if (op->fv.menu && !strncmp (op->fv.menu, menus[i], n) && (!op->fv.menu[n] || op->fv.menu[n] == '/'))
      return TRUE;
  }
  return op->fv.kind == FV_TABLE;
}

/* Whether a size of pixels is asked for that is that of slices, too. */
static gboolean
sizes_slices (const Step *step)
{
  const fv_param *spacing = args_param (step->op, "spacing");
  if (!spacing || spacing->type != FV_AXES || !args_enabled (step->op, step->args, spacing))
    return FALSE;
  g_autofree char *text = args_get (step->args, spacing);
  g_auto (GStrv) axes = g_strsplit (text, ",", -1);
  return *text && g_strv_length (axes) != 2;
}

static gboolean
is_volume (const Step *step, RecipeVolume said)
{
  return said == RECIPE_VOLUME || (said == RECIPE_OBJECTS && (is_of_objects (step->op) || sizes_slices (step)));
}

gboolean
volume_changes (const Step *step, RecipeVolume said)
{
  const fv_param *param = args_volume_param (step->op);
  if (!param || step->volume_given)
    return FALSE;
  g_autofree char *now = args_get (step->args, param);
  return is_volume (step, said) != !strcmp (now, "yes");
}

void
volume_apply (Step *step, RecipeVolume said)
{
  if (volume_changes (step, said))
    args_set (step->op, step->args, "volume", is_volume (step, said) ? "yes" : "no", NULL);
}

gboolean
volume_is_known (const ImageInfo *info)
{
  return info->depth > 1 && info->units[0] && *info->units[0];
}
