/* SPDX-License-Identifier: MIT
 *
 * Where ImageJ changes a selected area alone, the steps are made of the whole image, and what is outside is taken from before.
 */
#include "core/macro/imagej_lines.h"

#include "core/base/text.h"
#include "core/macro/images.h"
#include "core/macro/imagej_range.h"
#include "core/ops/args.h"
#include "core/recipe/link.h"
#include "core/recipe/macro_text.h"

#include <string.h>

/* ---- The image ---- */

gint64
imagej_slices (const ImageInfo *info)
{
  return image_info_planes (info) / (info->role == FV_RGB ? info->channels : 1);
}

gboolean
imagej_is_binary (Macro *m, Image *image)
{
  GError *error = NULL;
  const ImageInfo *info = image_info (image);
  if (info->role != FV_IMAGE || info->type != FV_U8)
    return info->role == FV_MASK;
  if (!m->host->fetch (m->host->self, image, &error))
    macro_fail (m, error);
  for (gint64 plane = 0; plane < image_info_planes (info); plane++) {
    const guint8 *pixels = image_plane (image, plane, &error);
    if (!pixels)
      macro_fail (m, error);
    for (gint64 i = 0; i < info->rows * info->columns; i++)
      if (pixels[i] != 0 && pixels[i] != 255)
        return FALSE;
  }
  return TRUE;
}

const Selection *
imagej_area (Macro *m)
{
  Selection *selection =
    macro_own (m, m->host->selection (m->host->self, macro_current (m)), (GDestroyNotify) selection_free);
  return selection && selection_is_area (selection) ? selection : NULL;
}

/* Which of the kinds of ImageJ it is; 0: none. */
static guint
kind_of (const ImageInfo *info)
{
  if (info->role == FV_RGB)
    return info->type == FV_U8 ? IMAGEJ_RGB : 0;
  return info->type == FV_U8    ? IMAGEJ_8_BIT
         : info->type == FV_U16 ? IMAGEJ_16_BIT
         : info->type == FV_F32 ? IMAGEJ_32_BIT
                                : 0;
}

/* ---- What differs ---- */

static const char *
kind_words (guint kind)
{
  return kind == IMAGEJ_8_BIT    ? "8-bit images"
         : kind == IMAGEJ_16_BIT ? "16-bit images"
         : kind == IMAGEJ_32_BIT ? "32-bit images"
         : kind == IMAGEJ_RGB    ? "RGB images"
                                 : "images of this type";
}

static void
check_kind (Macro *m, const char *command, const ImagejRule *rule, const char *steps)
{
  Image *image = images_shown (m, NULL);
  const guint kind = kind_of (image_info (image));
  if (rule->images & IMAGEJ_BINARY) {
    if (!imagej_is_binary (m, image))
      macro_fail_text (m,
                       "ImageJ's %s is for masks of 8 bits, 0 and 255, which setAutoThreshold(\"Default dark\") and "
                       "run(\"Convert to Mask\") make. Here '%s' takes other images, too.",
                       command, steps);
    if (m->black_objects && image_info (image)->role != FV_MASK)
      macro_fail_text (m,
                       "After setOption(\"BlackBackground\", false) ImageJ's %s takes black for objects, unless "
                       "run(\"Convert to Mask\") made the image. Here what is not 0 is inside: say true.",
                       command);
  } else if (!(rule->images & kind))
    macro_fail_text (m, "ImageJ's %s does something else with %s. Here '%s' does nearly the same.", command,
                     kind_words (kind), steps);
}

static void
check_slices (Macro *m, const char *command, const ImagejRule *rule, gboolean stack)
{
  const gint64 slices = imagej_slices (image_info (images_shown (m, NULL)));
  if (slices > 1 && rule->slices != IMAGEJ_SLICES_ALL && !(rule->slices == IMAGEJ_SLICES_STACK && stack))
    macro_fail_text (
      m, "ImageJ's %s takes the current slice alone, of %" G_GINT64_FORMAT ". Here steps take all of them%s.", command,
      slices,
      rule->slices == IMAGEJ_SLICES_STACK ? ": add the word stack to mean that"
                                          : ", as with the label and words of the operation");
}

static void
check_area (Macro *m, const char *command, const ImagejRule *rule, const char *steps)
{
  if (rule->area == IMAGEJ_AREA_OTHER && imagej_area (m))
    macro_fail_text (m,
                     "ImageJ's %s heeds the selection. Here '%s' takes the whole image: run(\"Select None\") before it "
                     "to mean that.",
                     command, steps);
}

void
imagej_lines_check (Macro *m, const char *command, const ImagejRule *rule, const char *steps, gboolean stack)
{
  check_kind (m, command, rule, steps);
  check_slices (m, command, rule, stack);
  check_area (m, command, rule, steps);
}

/* ---- Steps ---- */

const char *
imagej_of_planes (Macro *m, const Recipe *before, const char *steps)
{
  GString *s = g_string_new (NULL);
  g_auto (GStrv) parts = g_strsplit (steps, " | ", -1);
  for (guint i = 0; parts[i]; i++) {
    g_autofree char *key = g_strndup (parts[i], strcspn (parts[i], " "));
    const Op *op = modules_op (m->host->modules, key, NULL);
    const gboolean says =
      recipe_volume (before) > RECIPE_PLANES && op && args_param (op, "volume") && !strstr (parts[i], " volume=");
    g_string_append_printf (s, "%s%s%s", i ? " | " : "", parts[i], says ? " volume=no" : "");
  }
  return macro_own (m, g_string_free (s, FALSE), g_free);
}

static void
set_steps (Macro *m, const Recipe *before, const char *steps)
{
  GError *error = NULL;
  Recipe *after = recipe_with_parsed (before, recipe_length (before), 0, m->host->modules,
                                      imagej_of_planes (m, before, steps), &error);
  if (!after)
    macro_fail (m, error);
  macro_own (m, after, (GDestroyNotify) recipe_unref);
  if (!m->host->set_recipe (m->host->self, macro_current (m), after, &error))
    macro_fail (m, error);
}

void
imagej_add_steps (Macro *m, const char *steps)
{
  Recipe *before = m->host->recipe (m->host->self, macro_current (m));
  set_steps (m, macro_own (m, before, (GDestroyNotify) recipe_unref), steps);
}

Recipe *
imagej_name_last (Macro *m, const char *stem, const char **name)
{
  GError *error = NULL;
  Recipe *steps = macro_own (m, m->host->recipe (m->host->self, macro_current (m)), (GDestroyNotify) recipe_unref);
  const Link last = link_previous (steps, recipe_length (steps));
  guint place, result;
  *name = RECIPE_SOURCE;
  if (last.kind != LINK_RESULT)
    return steps;
  *name = recipe_step (steps, last.step)->names[last.output];
  if (*name && recipe_find (steps, recipe_length (steps), *name, &place, &result) && place == last.step)
    return steps;
  *name = macro_own (m, recipe_free_name (steps, stem), g_free);
  Recipe *named = recipe_with_name (steps, last.step, last.output, *name, &error);
  if (!named)
    macro_fail (m, error);
  return macro_own (m, named, (GDestroyNotify) recipe_unref);
}

void
imagej_add_steps_inside (Macro *m, const char *steps)
{
  const Selection *area = imagej_area (m);
  const char *name;
  if (!area) {
    imagej_add_steps (m, steps);
    return;
  }
  Recipe *before = imagej_name_last (m, "before", &name);
  char *inside = macro_own (m, selection_format (area), g_free), *outside = macro_own (m, text_quote (name), g_free);
  set_steps (m, before,
             macro_own (m, g_strdup_printf ("%s | keep inside=%s outside=%s", steps, inside, outside), g_free));
}

/* ---- The line ---- */

/* Steps that make floats, rounded as ImageJ does; owned. */
static const char *
round_steps (Macro *m, const ImagejRule *rule, const char *steps)
{
  const guint kind = kind_of (image_info (images_shown (m, NULL)));
  char *same = strstr (steps, " output=same");
  if (!(rule->rounded & kind) || !same)
    return steps;
  const gboolean bytes = kind == IMAGEJ_8_BIT, stays = !bytes && strstr (steps, "method=median"); /* floats */
  if (stays)
    return macro_own (m, g_strdup_printf ("%.*s%s", (int) (same - steps), steps, same + strlen (" output=same")),
                      g_free);
  return macro_own (m,
                    g_strdup_printf ("%.*s%s | convert type=%s scale=imagej low=0 high=%d", (int) (same - steps), steps,
                                     same + strlen (" output=same"), bytes ? "u8" : "u16", bytes ? 255 : 65535),
                    g_free);
}

/* ImageJ shrinks lines before a large blur, beginning at the selection. */
static void
check_blur (Macro *m, const char *command, char *const *words)
{
  double sigma = 0;
  if (strcmp (command, "Gaussian Blur...") && strcmp (command, "Unsharp Mask..."))
    return;
  for (; *words; words++)
    if (g_str_has_prefix (*words, "sigma=") || g_str_has_prefix (*words, "radius="))
      text_to_number (strchr (*words, '=') + 1, &sigma);
    else if (!strcmp (*words, "scaled"))
      return;
  if (sigma > 8.5 && imagej_area (m))
    macro_fail_text (m,
                     "ImageJ's %s above 8.5 pixels depends on where the selection begins. Here it does not: "
                     "run(\"Select None\") before it.",
                     command);
}

/* The paraboloid is computed in double. */
static void
check_sliding (Macro *m, const char *command, char *const *words)
{
  if (!strcmp (command, "Subtract Background...") && g_strv_contains ((const char *const *) words, "sliding")
      && image_info (images_shown (m, NULL))->type != FV_F32)
    macro_fail_text (m,
                     "ImageJ's %s with sliding rounds whole numbers another way, so that some pixels differ by 1. "
                     "run(\"32-bit\") before it, or the step 'rolling_ball method=paraboloid', does without.",
                     command);
}

gboolean
imagej_lines_run (Macro *m, const char *command, const char *arguments)
{
  GError *error = NULL;
  char **words = macro_words (m, arguments);
  const char *steps = imagej_steps (command, words, macro_text_op (m->host->modules, command) != NULL, &error);
  if (error)
    macro_fail (m, error);
  if (!steps)
    return FALSE;
  macro_own (m, (gpointer) steps, g_free);
  const ImagejRule *rule = imagej_rule (command);
  imagej_lines_check (m, command, rule, steps, g_strv_contains ((const char *const *) words, "stack"));
  check_blur (m, command, words);
  check_sliding (m, command, words);
  steps = round_steps (m, rule, steps);
  if (rule->area == IMAGEJ_AREA_CHANGED)
    imagej_add_steps_inside (m, steps);
  else
    imagej_add_steps (m, steps);
  if (rule->range == IMAGEJ_RANGE_FOLLOWS)
    imagej_range_follow (m);
  else if (rule->range == IMAGEJ_RANGE_OTHER)
    imagej_range_lose (m, command);
  return TRUE;
}
