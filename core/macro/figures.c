/* SPDX-License-Identifier: MIT
 */
#include "core/macro/figures.h"

#include "core/base/progress.h"
#include "core/base/text.h"
#include "core/figure/figure.h"
#include "core/macro/cage.h"
#include "core/macro/images.h"

#include <string.h>

/* The words without that of the path, which is *path; owned. */
static const char *const *
choice_words (Macro *m, const char *arguments, const char **path)
{
  GPtrArray *words = macro_own (m, g_ptr_array_new (), (GDestroyNotify) g_ptr_array_unref);
  for (char **word = macro_words (m, arguments); *word; word++)
    if (g_str_has_prefix (*word, "path="))
      *path = *word + strlen ("path=");
    else
      g_ptr_array_add (words, *word);
  g_ptr_array_add (words, NULL);
  return (const char *const *) words->pdata;
}

/* What the words do not say is as the macro shows the image. */
static gboolean
take_view (Macro *m, guint id, const ImageInfo *info, const char *const *words, FigureChoices *c, GError **error)
{
  const PlanePosition position = plane_within (info, m->host->position (m->host->self, id));
  g_autoptr (GArray) settings = g_array_new (FALSE, FALSE, sizeof (ViewChannel));
  gboolean usual = TRUE;
  c->slice = (int32_t) position.slice;
  c->frame = (int32_t) position.frame;
  c->channel = (int32_t) position.channel;
  for (gint64 i = 0; i < info->channels; i++) {
    const ViewChannel look = m->host->look (m->host->self, id, i);
    usual &= look_equal (&look, &LOOK_USUAL);
    g_array_append_val (settings, look);
  }
  g_autofree char *text = look_format ((const ViewChannel *) (gpointer) settings->data, settings->len);
  if (!usual)
    g_strlcpy (c->display, text, sizeof c->display);
  return figure_choices_set (c, words, error);
}

static void
clear_inputs (gpointer inputs)
{
  figure_inputs_clear (inputs);
  g_free (inputs);
}

static void
free_string (gpointer string)
{
  g_string_free (string, TRUE);
}

int
figures_export (lua_State *L, Macro *m, const char *command, const char *arguments)
{
  GError *error = NULL;
  const guint image = macro_current (m);
  const char *path = NULL, *const *words = choice_words (m, arguments, &path);
  (void) L;
  if (!path)
    macro_fail_text (m, "run(\"%s\", …) needs path=[FILE].", command);
  path = cage_file (m, command, path);
  FigureChoices *choices = macro_own (m, figure_choices_new (), g_free);
  if (!figure_choices_set (choices, words, &error) || !figure_can_save (path, &error))
    macro_fail (m, error);
  Recipe *recipe = macro_own (m, m->host->recipe (m->host->self, image), (GDestroyNotify) recipe_unref);
  Run *run = macro_own (m, run_new (recipe, images_shown (m, RECIPE_SOURCE), RUN_KEEP_ALL), (GDestroyNotify) run_free);
  if (recipe_length (recipe) && !m->host->execute (m->host->self, run, &error))
    macro_fail (m, error);
  FigureInputs *inputs = macro_own (m, g_new0 (FigureInputs, 1), clear_inputs);
  if (!figure_inputs_find (inputs, (Modules *) m->host->modules, run, choices, &error)
      || !m->host->fetch (m->host->self, inputs->image, &error)
      || (inputs->labels && !m->host->fetch (m->host->self, inputs->labels, &error))
      || !take_view (m, image, image_info (inputs->image), words, choices, &error)
      || !figure_save (inputs, choices, path, progress_current (), &error))
    macro_fail (m, error);
  GString *options = macro_own (m, g_string_new (NULL), free_string);
  for (; *words; words++) {
    g_autofree char *quoted = text_quote (*words);
    g_string_append_printf (options, "%s%s", options->len ? " " : "", quoted);
  }
  m->host->saved (m->host->self, image, "figure", path, options->str);
  return 0;
}
