/* SPDX-License-Identifier: MIT
 *
 * Thresholds are kept until a command makes a mask by them; types go by the type that the image has.
 */
#include "core/macro/imagej.h"

#include "core/base/text.h"
#include "core/data/pixel_type.h"
#include "core/macro/images.h"
#include "core/recipe/imagej.h"

#include <math.h>
#include <string.h>

static int
add_steps (Macro *m, const char *steps)
{
  GError *error = NULL;
  guint image = macro_current (m);
  Recipe *before = macro_own (m, m->host->recipe (m->host->self, image), (GDestroyNotify) recipe_unref);
  Recipe *after = recipe_with_parsed (before, recipe_length (before), 0, m->host->modules, steps, &error);
  if (!after)
    macro_fail (m, error);
  macro_own (m, after, (GDestroyNotify) recipe_unref);
  if (!m->host->set_recipe (m->host->self, image, after, &error))
    macro_fail (m, error);
  return 0;
}

/* ---- Types ---- */

/* Wider types take the values as they are, as 16-bit takes labels; others are filled from the smallest to the largest value. */
int
imagej_type (lua_State *L, Macro *m, const char *command, const char *arguments)
{
  static const struct {
    const char *command, *type;
    guint bytes;
  } types[] = {{"8-bit", "u8", 1}, {"16-bit", "u16", 2}, {"32-bit", "f32", 4}};
  const ImageInfo *info = image_info (images_shown (m, NULL));
  guint i = 0;
  (void) L;
  if (*arguments)
    macro_fail_text (m, "run(\"%s\") takes nothing else.", command);
  if (info->role == FV_RGB)
    macro_fail_text (m, "The image has colours: run(\"Channel...\", \"index=0\") takes one of them.");
  while (strcmp (types[i].command, command))
    i++;
  gsize bytes = pixel_type_bytes (info->type);
  gboolean narrower = bytes > types[i].bytes && types[i].bytes < 4 && (types[i].bytes == 1 || info->role != FV_LABELS);
  g_autofree char *steps = g_strdup_printf (
    narrower ? "normalize over=series | convert type=%s scale=range low=0 high=1" : "convert type=%s", types[i].type);
  char *owned = macro_own (m, g_steal_pointer (&steps), g_free);
  return bytes == types[i].bytes && bytes < 4 ? 0 : add_steps (m, owned);
}

/* ---- Thresholds ---- */

static int
keep_threshold (Macro *m, char *step)
{
  g_free (m->threshold);
  m->threshold = step;
  m->thresholded = macro_current (m);
  return 0;
}

static int
set_threshold (lua_State *L, Macro *m)
{
  double lower = luaL_checknumber (L, 1), upper = luaL_checknumber (L, 2);
  if (isnan (lower) || isnan (upper) || lower > upper)
    macro_fail_text (m, "A threshold is two numbers, the second not below the first, not %g and %g.", lower, upper);
  macro_current (m);
  char *low = macro_own (m, text_from_number (lower), g_free), *high = macro_own (m, text_from_number (upper), g_free);
  return keep_threshold (m, g_strdup_printf ("threshold method=manual lower=%s upper=%s", low, high));
}

static int
set_auto_threshold (lua_State *L, Macro *m)
{
  GError *error = NULL;
  const char *words = macro_text (L, 1);
  macro_current (m);
  char *step = imagej_threshold (words, &error);
  if (!step)
    macro_fail (m, error);
  return keep_threshold (m, step);
}

static int
reset_threshold (lua_State *L, Macro *m)
{
  (void) L;
  g_clear_pointer (&m->threshold, g_free);
  return 0;
}

/* "method=Otsu background=Dark calculate", as for a stack whose slices have thresholds of their own. */
static char *
threshold_of_words (Macro *m, const char *command, char **words)
{
  GError *error = NULL;
  const char *method = "Default", *background = NULL;
  gboolean each = FALSE;
  for (; *words; words++)
    if (g_str_has_prefix (*words, "method="))
      method = *words + strlen ("method=");
    else if (!strcmp (*words, "background=Dark") || !strcmp (*words, "background=Light"))
      background = *words + strlen ("background=");
    else if (!strcmp (*words, "calculate"))
      each = TRUE;
    else if (strcmp (*words, "black") && strcmp (*words, "list"))
      macro_fail_text (m, "run(\"%s\", …) takes method=, background=Dark or Light, and calculate, not '%s'.", command,
                       *words);
  if (!background || !each)
    macro_fail_text (m,
                     "run(\"%s\", …) needs background=Dark or background=Light, and calculate: a threshold for each "
                     "slice. setAutoThreshold(\"%s dark stack\") before it is one for all.",
                     command, method);
  char *text = macro_own (m, g_strdup_printf ("%s%s", method, *background == 'D' ? " dark" : ""), g_free);
  char *step = imagej_threshold (text, &error);
  if (!step)
    macro_fail (m, error);
  return macro_own (m, step, g_free);
}

int
imagej_mask (lua_State *L, Macro *m, const char *command, const char *arguments)
{
  char **words = macro_words (m, arguments);
  (void) L;
  if (words[0])
    return add_steps (m, threshold_of_words (m, command, words));
  if (!m->threshold || m->thresholded != macro_current (m))
    macro_fail_text (
      m,
      "run(\"%s\") needs a threshold: setThreshold(lower, upper), or setAutoThreshold(\"Default dark\"), "
      "without dark where objects are darker than the background.",
      command);
  return add_steps (m, macro_own (m, g_steal_pointer (&m->threshold), g_free));
}

/* ---- What changes no value ---- */

int
imagej_shown (lua_State *L, Macro *m, const char *command, const char *arguments)
{
  (void) L, (void) m, (void) command, (void) arguments;
  return 0;
}

static int
set_option (lua_State *L, Macro *m)
{
  const char *name = macro_text (L, 1);
  if (g_ascii_strcasecmp (name, "BlackBackground"))
    macro_fail_text (m, "setOption() knows \"BlackBackground\" alone, which changes nothing here, not '%s'.", name);
  return 0;
}

const MacroFunction macro_imagej_functions[] = {
  {"setThreshold", "lower, upper",
   "says which values the next run(\"Convert to Mask\") or run(\"Analyze Particles...\") of the current image takes, "
   "both limits with them.",
   set_threshold},
  {"setAutoThreshold", "method",
   "says how it finds a threshold: \"Otsu dark\", without \"dark\" for objects that are darker than the background, "
   "with "
   "\"stack\" one threshold for all slices. Methods are Default, Huang, IJ_IsoData, IsoData, Li, MaxEntropy, Mean, "
   "Minimum, Otsu, Triangle and Yen.",
   set_auto_threshold},
  {"resetThreshold", "", "forgets it.", reset_threshold},
  {"setOption", "\"BlackBackground\", on", "changes nothing: in masks what is not 0 is inside.", set_option},
  {0},
};
