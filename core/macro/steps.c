/* SPDX-License-Identifier: MIT
 *
 * run(): an operation of the menus becomes a step of the current image; and what else it knows.
 */
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/options.h"
#include "core/macro/cage.h"
#include "core/macro/figures.h"
#include "core/macro/imagej.h"
#include "core/macro/imagej_lines.h"
#include "core/macro/imagej_range.h"
#include "core/macro/imagej_types.h"
#include "core/macro/images.h"
#include "core/macro/luts.h"
#include "core/macro/particles.h"
#include "core/macro/roi_manager.h"
#include "core/macro/scale.h"
#include "core/macro/selections.h"
#include "core/macro/sequences.h"
#include "core/macro/several.h"
#include "core/macro/state.h"
#include "core/macro/step_files.h"
#include "core/macro/tables.h"
#include "core/macro/values.h"
#include "core/macro/writers.h"
#include "core/recipe/macro_text.h"
#include "core/recipe/steps_text.h"

#include <string.h>

/* ---- Commands that are no operations ---- */

static int
set_device (lua_State *L, Macro *m, const char *command, const char *arguments)
{
  GError *error = NULL;
  (void) L;
  if (!m->host->set_device (m->host->self, macro_only_word (m, command, arguments, "device"), &error))
    macro_fail (m, error);
  return 0;
}

static int
save_steps (lua_State *L, Macro *m, const char *command, const char *arguments)
{
  GError *error = NULL;
  guint image = macro_current (m);
  const char *path = cage_file (m, command, macro_only_word (m, command, arguments, "path"));
  Recipe *recipe = macro_own (m, m->host->recipe (m->host->self, image), (GDestroyNotify) recipe_unref);
  char *lines = macro_own (m, steps_text_lines (recipe), g_free);
  (void) L;
  if (!steps_text_save (path, lines, &error))
    macro_fail (m, error);
  m->host->saved (m->host->self, image, "save-steps", path, "");
  return 0;
}

static void
free_string (gpointer string)
{
  g_string_free (string, TRUE);
}

static int
save (lua_State *L, Macro *m, const char *command, const char *arguments)
{
  GString *options = macro_own (m, g_string_new (NULL), free_string); /* of the format */
  const char *path = NULL;
  guint64 step = G_MAXUINT;
  (void) L;
  for (char **word = macro_words (m, arguments); *word; word++)
    if (g_str_has_prefix (*word, "path="))
      path = cage_file (m, command, *word + strlen ("path="));
    else if (g_str_has_prefix (*word, "step=") || !strchr (*word, '=')) {
      if (**word != 's' || !g_ascii_string_to_unsigned (*word + 5, 10, 0, G_MAXUINT - 1, &step, NULL))
        macro_fail_text (
          m, "run(\"%s\", …) takes path=, step= and options of the format such as compression=deflate, not '%s'.",
          command, *word);
    } else
      g_string_append_printf (options, " %s", *word);
  if (!path)
    macro_fail_text (m, "run(\"%s\", …) needs path=[FILE].", command);
  gboolean last = step == G_MAXUINT;
  Image *image = last ? images_shown (m, NULL) : images_of_step (m, macro_current (m), (guint) step);
  images_save (m, image, path, options->str);
  char *said = macro_own (m, options_for_command (options->str), g_free);
  char *all = last ? said : macro_own (m, g_strdup_printf (" --step %u%s", (guint) step, said), g_free);
  m->host->saved (m->host->self, macro_current (m), last ? "save" : "save-earlier", path, all);
  return 0;
}

static int
close_all (lua_State *L, Macro *m, const char *command, const char *arguments)
{
  (void) command, (void) arguments;
  return images_close_all (L, m);
}

typedef struct {
  const char *name;
  int (*run) (lua_State *L, Macro *m, const char *command, const char *arguments);
} Command;

static const Command commands[] = {
  {"Set Device...", set_device},
  {"Save Steps...", save_steps},
  {"Save...", save},
  {"Save Results...", tables_save},
  {"Close All", close_all},
  {"Image Sequence...", sequences_import},
  {"Select...", selections_set},
  {"Select None", selections_none},
  {"Select All", selections_all},
  {"Measure", selections_measure},
  {"Set Measurements...", particles_set_measurements},
  {"Analyze Particles...", particles_analyze},
  {"Set Scale...", scale_set},
  {"Clear Results", tables_clear},
  {"Export Figure...", figures_export},
  {"8-bit", imagej_type},
  {"16-bit", imagej_type},
  {"32-bit", imagej_type},
  {"Invert", imagej_invert},
  {"Outline", imagej_outline},
  {"Convert to Mask", imagej_mask},
  {"Make Binary", imagej_mask},
  {"Enhance Contrast", imagej_shown},
  {"LUT... ", luts_set},
  {"LUT...", luts_set},
  {"Grays", luts_set_named},
  {"Red", luts_set_named},
  {"Green", luts_set_named},
  {"Blue", luts_set_named},
  {"Magenta", luts_set_named},
  {"Cyan", luts_set_named},
  {"Yellow", luts_set_named},
  {"Fire", luts_set_named},
};

/* ImageJ's, which is a step along the line that is selected. */
#define PLOT_PROFILE "Plot Profile"

/* Names of all commands that are no operations. Owned. */
static const char *const *
command_names (Macro *m)
{
  GPtrArray *names = macro_own (m, g_ptr_array_new (), (GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    g_ptr_array_add (names, (gpointer) commands[i].name);
  g_ptr_array_add (names, (gpointer) PLOT_PROFILE);
  g_ptr_array_add (names, (gpointer) MACRO_SET_STEPS);
  g_ptr_array_add (names, (gpointer) MACRO_CHANGE_STEP);
  g_ptr_array_add (names, NULL);
  return (const char *const *) names->pdata;
}

/* As when a person adds a step: the first that finds, separates or measures objects has the steps say that slices are one volume. Steps that are given
 * in full mean what they say. */
static const Recipe *
of_volume (Macro *m, const char *command, const Recipe *before, const Recipe *after)
{
  const ImageInfo *info = image_info (images_shown (m, RECIPE_SOURCE));
  if (!strcmp (command, MACRO_SET_STEPS) || !strcmp (command, MACRO_CHANGE_STEP)
      || recipe_suggest_volume (before, info))
    return after;
  return images_recipe (m, after, info);
}

static int
run_command (lua_State *L, Macro *m)
{
  GError *error = NULL;
  const char *name = macro_text (L, 1), *arguments = luaL_optstring (L, 2, "");
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (!strcmp (name, commands[i].name))
      return commands[i].run (L, m, name, arguments);
  if (!g_utf8_validate (arguments, -1, NULL))
    macro_fail_text (m, "The arguments of run() are not UTF-8 text.");
  if (!strcmp (name, SEVERAL_MERGE) && several_knows_merge (m, arguments))
    return several_merge (m, arguments);
  if (!strcmp (name, PLOT_PROFILE)) {
    arguments = selections_profile (m, name, arguments);
    name = "profile";
  }
  if (imagej_lines_run (m, name, arguments))
    return 0;
  guint image = macro_current (m);
  Recipe *before = macro_own (m, m->host->recipe (m->host->self, image), (GDestroyNotify) recipe_unref);
  Recipe *after = macro_text_apply (m->host->modules, before, name, arguments, command_names (m), &error);
  if (!after)
    macro_fail (m, error);
  macro_own (m, after, (GDestroyNotify) recipe_unref);
  const Recipe *chosen = of_volume (m, name, before, after);
  if (!m->host->set_recipe (m->host->self, image, step_files_whole (m, chosen, before), &error))
    macro_fail (m, error);
  imagej_range_follow (m);
  return 0;
}

static int
get_steps (lua_State *L, Macro *m)
{
  Recipe *recipe = macro_own (m, m->host->recipe (m->host->self, macro_current (m)), (GDestroyNotify) recipe_unref);
  lua_pushstring (L, macro_own (m, recipe_format (recipe), g_free));
  return 1;
}

/* ---- saveAs ---- */

static void
save_image_as (Macro *m, const char *kind, const char *path)
{
  const char *target = cage_file (m, kind, path);
  images_save (m, images_shown (m, NULL), target, NULL);
  m->host->saved (m->host->self, macro_current (m), "save", target, "");
}

/* Ends the macro. */
static void
fail_kind (Macro *m, const char *kind)
{
  GString *kinds = macro_own (m, g_string_new (NULL), free_string);
  for (const MacroWriter *w = writers_all (); w->function; w++)
    if (!strcmp (w->function, "saveAs"))
      g_string_append_printf (kinds, "%s\"%s\"", kinds->len ? ", " : "", w->command);
  macro_fail_text (m, "saveAs() knows %s, not '%s'.", kinds->str, kind);
}

static int
save_as (lua_State *L, Macro *m)
{
  const char *kind = macro_text (L, 1), *path = macro_text (L, 2);
  if (!writers_find ("saveAs", kind))
    fail_kind (m, kind);
  if (!g_ascii_strcasecmp (kind, "Results") || !g_ascii_strcasecmp (kind, "Measurements"))
    tables_save_shown (m, !g_ascii_strcasecmp (kind, "Measurements"), kind, path);
  else if (!g_ascii_strcasecmp (kind, "Selection"))
    roi_manager_save (m, kind, path);
  else
    save_image_as (m, kind, path);
  return 0;
}

const MacroFunction macro_step_functions[] = {
  {"run", "command[, arguments]",
   "adds a step to the current image: an operation by its label or key, with arguments as in steps. Values with "
   "blanks can be in [brackets]. Other commands for steps are \"Change Step...\" (step=2 sigma=3) and \"Set Steps...\" "
   "(steps=[gaussian sigma=2 | otsu]). For selections there are \"Select None\", \"Select All\" and \"Select...\" "
   "(selection=oval(1,2,3,4)). For measurements there are \"Plot Profile\" (along the selected line) and \"Measure\" "
   "(in the last "
   "image, or with step=1 in that of a step). \"Set Scale...\", \"Set Measurements...\" and \"Analyze Particles...\" "
   "work as in ImageJ. Files are saved by \"Save Steps...\" (path=) and "
   "\"Save...\" (path=, step=, compression=, tile=, pyramid=yes). The command \"Save Results...\" takes path=, "
   "table=measurements, "
   "separator=semicolon, image=yes, names=imagej, sort=COLUMN, descending=yes, keep=[COLUMN LOW HIGH] and with=[COLUMN "
   "TEXT]. The command \"Export Figure...\" saves a part of the shown image: path=, width=85, unit=mm and the choices "
   "that 'fovea "
   "figure --choices' lists. The command \"LUT... \" takes open=FILE.lut or the name of a look-up table; \"Fire\", "
   "\"Grays\", "
   "\"Red\" and other names also work as commands. Further commands are \"Set Device...\" (device=cpu), \"Clear "
   "Results\" and \"Close All\".",
   run_command},
  {"getSteps", "", "returns the steps of the current image as a string.", get_steps},
  {"saveAs", "kind, path",
   "saves the result of the current image's steps as \"Tiff\", \"FITS\", \"PNG\", "
   "\"Jpeg\" or \"Text Image\". The kind \"Results\" saves the last table of the steps, otherwise the measurements: "
   "separated by commas, "
   "or by "
   "tabs in .tsv and .txt. The kind \"Measurements\" saves the measurements, and \"Selection\" the current selection, "
   "or all in "
   "the list.",
   save_as},
  {0},
};
