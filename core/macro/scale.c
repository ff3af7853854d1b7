/* SPDX-License-Identifier: MIT
 *
 * A scale is a step `calibrate` after the existing ones: earlier steps ran without it.
 */
#include "core/macro/scale.h"

#include "core/base/text.h"
#include "core/base/units.h"

#include <string.h>

#define REMOVED "calibrate unit=pixel"

typedef struct {
  double distance, known, aspect;
  const char *unit;
  gboolean global;
} Words;

static double
number_of (Macro *m, const char *command, const char *word, const char *text)
{
  double number;
  if (!text_to_number (text, &number) || number < 0)
    macro_fail_text (m, "run(\"%s\", …): '%s' is not a length.", command, word);
  return number;
}

static Words
read_words (Macro *m, const char *command, const char *arguments)
{
  Words w = {.aspect = 1, .unit = ""};
  for (char **word = macro_words (m, arguments); *word; word++)
    if (g_str_has_prefix (*word, "distance="))
      w.distance = number_of (m, command, *word, *word + strlen ("distance="));
    else if (g_str_has_prefix (*word, "known="))
      w.known = number_of (m, command, *word, *word + strlen ("known="));
    else if (g_str_has_prefix (*word, "pixel="))
      w.aspect = number_of (m, command, *word, *word + strlen ("pixel="));
    else if (g_str_has_prefix (*word, "unit="))
      w.unit = *word + strlen ("unit=");
    else if (!strcmp (*word, "global"))
      w.global = TRUE;
    else
      macro_fail_text (m, "run(\"%s\", …) accepts distance=, known=, pixel=, unit= and global, not '%s'.", command,
                       *word);
  return w;
}

/* Without a distance, or in pixels, the scale is removed. */
static char *
step_of (Macro *m, const Words *w)
{
  g_autofree char *unit = units_normal (w->unit), *quoted = text_quote (unit);
  double width = w->known / w->distance;
  if (!(w->distance > 0 && w->known > 0 && w->aspect > 0) || !g_ascii_strncasecmp (w->unit, "pixel", 5) || !*w->unit)
    return macro_own (m, g_strdup (REMOVED), g_free);
  GString *s = g_string_new ("calibrate width=");
  text_add_number (s, width);
  if (w->aspect != 1) {
    g_string_append (s, " height=");
    text_add_number (s, width * w->aspect);
  }
  g_string_append_printf (s, " unit=%s", quoted);
  return macro_own (m, g_string_free (s, FALSE), g_free);
}

/* Of the image. As in ImageJ the slice spacing stays, if it was set. */
static void
add_step (Macro *m, guint image, const char *scale)
{
  GError *error = NULL;
  const MacroHost *host = m->host;
  Image *shown = macro_own (m, host->image (host->self, image, NULL, &error), (GDestroyNotify) image_unref);
  if (error)
    macro_fail (m, error);
  const double depth = image_info (shown)->spacing[0];
  GString *step = g_string_new (scale);
  if (depth != 1 && strcmp (scale, REMOVED)) {
    g_string_append (step, " depth=");
    text_add_number (step, depth);
  }
  const char *text = macro_own (m, g_string_free (step, FALSE), g_free);
  Recipe *before = macro_own (m, host->recipe (host->self, image), (GDestroyNotify) recipe_unref);
  Recipe *after = recipe_with_parsed (before, recipe_length (before), 0, host->modules, text, &error);
  if (!after)
    macro_fail (m, error);
  macro_own (m, after, (GDestroyNotify) recipe_unref);
  if (!host->set_recipe (host->self, image, after, &error))
    macro_fail (m, error);
}

int
scale_set (lua_State *L, Macro *m, const char *command, const char *arguments)
{
  const Words words = read_words (m, command, arguments);
  const char *step = step_of (m, &words);
  (void) L;
  g_clear_pointer (&m->scale, g_free);
  if (!words.global) {
    add_step (m, macro_current (m), step);
    return 0;
  }
  GArray *images = macro_own (m, m->host->images (m->host->self), (GDestroyNotify) g_array_unref);
  m->scale = g_strdup (step);
  for (guint i = 0; i < images->len; i++)
    add_step (m, g_array_index (images, guint, i), step);
  return 0;
}

void
scale_opened (Macro *m, guint image)
{
  if (m->scale)
    add_step (m, image, m->scale);
}
