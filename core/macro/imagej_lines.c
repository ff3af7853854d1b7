/* SPDX-License-Identifier: MIT
 *
 * Where ImageJ changes a selected area alone, the steps are made of the whole image, and what is outside is taken from before.
 */
#include "core/macro/imagej_lines.h"

#include "core/base/text.h"
#include "core/macro/imagej_checks.h"
#include "core/macro/images.h"
#include "core/macro/imagej_range.h"
#include "core/ops/args.h"
#include "core/recipe/link.h"
#include "core/recipe/macro_text.h"

#include <string.h>

/* ---- Steps ---- */

/* The steps, which are of planes also where those before say that slices are a volume; owned. */
static const char *
of_planes (Macro *m, const Recipe *before, const char *steps)
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

void
imagej_add_steps_to (Macro *m, const Recipe *before, const char *steps)
{
  GError *error = NULL;
  Recipe *after =
    recipe_with_parsed (before, recipe_length (before), 0, m->host->modules, of_planes (m, before, steps), &error);
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
  imagej_add_steps_to (m, macro_own (m, before, (GDestroyNotify) recipe_unref), steps);
}

Recipe *
imagej_name_last (Macro *m, const char *stem, const char **name)
{
  GError *error = NULL;
  Recipe *steps = macro_own (m, m->host->recipe (m->host->self, macro_current (m)), (GDestroyNotify) recipe_unref);
  const Link last = link_previous (steps, recipe_length (steps));
  guint index, result;
  *name = RECIPE_SOURCE;
  if (last.kind != LINK_RESULT)
    return steps;
  *name = recipe_step (steps, last.step)->names[last.output];
  if (*name && recipe_find (steps, recipe_length (steps), *name, &index, &result) && index == last.step)
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
  imagej_add_steps_to (
    m, before, macro_own (m, g_strdup_printf ("%s | keep inside=%s outside=%s", steps, inside, outside), g_free));
}

/* ---- The line ---- */

/* Frames are the slices of what has no others, and slices the frames; owned. */
static const char *
along_frames (Macro *m, const char *command, const char *steps)
{
  const gboolean stacked = !strcmp (command, "Z Project...") || !strcmp (command, "Make Montage...");
  if (!strcmp (command, "Bleach Correction") && image_info (images_shown (m, NULL))->frames == 1)
    return macro_own (m, g_strconcat (steps, " axis=z", NULL), g_free);
  if (!stacked || image_info (images_shown (m, NULL))->frames == 1)
    return steps;
  return macro_own (m, g_strconcat (steps, " axis=t", NULL), g_free);
}

/* Steps that make floats, rounded as ImageJ does; owned. */
static const char *
round_steps (Macro *m, const fv_imagej *rule, const char *steps)
{
  const guint kind = imagej_kind (image_info (images_shown (m, NULL)));
  char *same = strstr (steps, " output=same");
  if (!(rule->rounded & kind) || !same)
    return steps;
  const gboolean bytes = kind == FV_IMAGEJ_8_BIT, stays = !bytes && strstr (steps, "method=median"); /* floats */
  if (stays)
    return macro_own (m, g_strdup_printf ("%.*s%s", (int) (same - steps), steps, same + strlen (" output=same")),
                      g_free);
  return macro_own (m,
                    g_strdup_printf ("%.*s%s | convert type=%s scale=imagej low=0 high=%d", (int) (same - steps), steps,
                                     same + strlen (" output=same"), bytes ? "u8" : "u16", bytes ? 255 : 65535),
                    g_free);
}

/* Whether all slices are meant. */
static gboolean
says_all (char *const *words)
{
  return g_strv_contains ((const char *const *) words, "stack")
         || g_strv_contains ((const char *const *) words, "process_all");
}

gboolean
imagej_lines_run (Macro *m, const char *command, const char *arguments)
{
  GError *error = NULL;
  char **words = macro_words (m, arguments);
  const char *steps =
    imagej_steps (m->host->modules, command, words, macro_text_op (m->host->modules, command) != NULL, &error);
  if (error)
    macro_fail (m, error);
  if (!steps)
    return FALSE;
  macro_own (m, (gpointer) steps, g_free);
  const fv_imagej *rule = imagej_line (m->host->modules, command);
  imagej_check (m, command, rule, steps, says_all (words));
  imagej_check_words (m, command, words);
  steps = round_steps (m, rule, along_frames (m, command, steps));
  if (rule->area == FV_IMAGEJ_AREA_CHANGED)
    imagej_add_steps_inside (m, steps);
  else
    imagej_add_steps (m, steps);
  if (rule->range == FV_IMAGEJ_RANGE_FOLLOWS)
    imagej_range_follow (m);
  else if (rule->range == FV_IMAGEJ_RANGE_OTHER)
    imagej_range_lose (m, command);
  return TRUE;
}
