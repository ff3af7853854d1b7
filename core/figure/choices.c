/* SPDX-License-Identifier: MIT
 */
#include "core/figure/choices.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ops/args.h"
#include "core/selection/selection.h"
#include "core/view/look.h"

#include <pango/pango.h>
#include <string.h>

static const fv_choice units[] = {{"px", "dots", "Dots of the figure."},
                                  {"mm", "mm", "Millimeters."},
                                  {"cm", "cm", "Centimeters."},
                                  {"inch", "inches", "Inches."},
                                  {0}};
static const fv_choice modes[] = {
  {"composite", "Composite", "All channels, with their colors added."}, {"single", "Single", "One channel."}, {0}};
static const fv_choice panels[] = {{"one", "One image", "Plane to show."},
                                   {"channels", "Each channel", "Each channel, then all together."},
                                   {"slices", "Each slice", "All slices, with the same contrast."},
                                   {"frames", "Each frame", "All frames, with the same contrast."},
                                   {0}};
static const fv_choice objects[] = {{"outlines", "Outlines", "Their outlines."},
                                    {"fill", "Filled", "The whole objects."},
                                    {"none", "Not drawn", "No overlay."},
                                    {0}};
static const fv_choice corners[] = {{"lower_right", "Lower right", "In the lower right corner."},
                                    {"lower_left", "Lower left", "In the lower left corner."},
                                    {"upper_right", "Upper right", "In the upper right corner."},
                                    {"upper_left", "Upper left", "In the upper left corner."},
                                    {0}};

static const fv_param params[] = {
  {FV_FIELD (FigureChoices, width), .label = "Width", .max = 1e5, .soft_max = 200,
   .help = "Width of the image in the figure; 0 uses one dot per pixel."},
  {FV_FIELD (FigureChoices, unit), .label = "Unit", .choices = units, .help = "Unit of the width."},
  {FV_FIELD (FigureChoices, dpi), .label = "Resolution", .unit = "dots per inch", .def = 300, .min = 10, .max = 4800,
   .soft_min = 72, .soft_max = 1200, .help = "Resolution, which also sets the size of text in pixels."},
  {FV_FIELD (FigureChoices, panels), .label = "Montage", .choices = panels,
   .help = "Images side by side in the figure; the width applies to each."},
  {FV_FIELD (FigureChoices, panel_columns), .label = "In a row", .max = 400, .soft_max = 12,
   .enabled = "panels=channels|slices|frames",
   .help = "Number of images in a row; 0 makes about as many rows as columns."},
  {FV_FIELD (FigureChoices, smooth), .label = "Smooth", .advanced = true,
   .help = "Interpolates enlarged pixels; otherwise they stay squares."},
  {FV_FIELD (FigureChoices, objects), .label = "Objects", .choices = objects,
   .help = "How labels or a mask are drawn over the image."},
  {FV_FIELD (FigureChoices, opacity), .label = "Opacity", .advanced = true, .def = 0.5, .max = 1,
   .enabled = "objects=fill", .help = "Opacity of object colors over the image."},
  {FV_FIELD (FigureChoices, line), .label = "Line", .advanced = true, .unit = "pt", .def = 0.75, .min = 0.05, .max = 20,
   .soft_min = 0.25, .soft_max = 4, .enabled = "objects=outlines", .help = "Width of outlines."},
  {FV_FIELD (FigureChoices, selections), .label = "Selections", .advanced = true,
   .help = "Selections to draw, such as oval(10,20,300,200), separated by semicolons."},
  {FV_FIELD (FigureChoices, selection_color), .aliases = "selection_colour", .label = "Their color", .advanced = true,
   .def_text = "yellow", .help = "Color of selections: a name or #rrggbb."},
  {FV_FIELD (FigureChoices, bar), .label = "Scale bar", .def = 1, .help = "Adds a scale bar."},
  {FV_FIELD (FigureChoices, bar_place), .label = "Position of the bar", .choices = corners, .enabled = "bar=yes",
   .help = "Position of the scale bar."},
  {FV_FIELD (FigureChoices, bar_length), .label = "Length of the bar", .max = 1e12, .soft_max = 100,
   .enabled = "bar=yes", .help = "Length of the scale bar; 0 picks a round number that fits."},
  {FV_FIELD (FigureChoices, bar_unit), .label = "Unit of the bar", .advanced = true, .enabled = "bar=yes",
   .help = "Unit of the scale bar's length, such as nm; the image's when there is none."},
  {FV_FIELD (FigureChoices, bar_height), .label = "Thickness of the bar", .advanced = true, .unit = "pt", .def = 2,
   .min = 0.1, .max = 50, .soft_min = 0.5, .soft_max = 6, .enabled = "bar=yes", .help = "Thickness of the scale bar."},
  {FV_FIELD (FigureChoices, bar_label), .label = "Length as text", .advanced = true, .def = 1, .enabled = "bar=yes",
   .help = "Writes the length at the scale bar."},
  {FV_FIELD (FigureChoices, color_bar), .aliases = "colour_bar", .label = "Color bar",
   .help = "Adds a color bar to the right of the image that shows the values of its colors; not for "
           "color images and labels."},
  {FV_FIELD (FigureChoices, text), .label = "Text", .help = "Text in the image, such as A."},
  {FV_FIELD (FigureChoices, text_place), .label = "Position of the text", .choices = corners, .def = FIGURE_UPPER_LEFT,
   .help = "Position of the text."},
  {FV_FIELD (FigureChoices, time), .label = "Time", .help = "Writes the time since the first frame into the image."},
  {FV_FIELD (FigureChoices, time_place), .label = "Position of the time", .choices = corners, .def = FIGURE_UPPER_RIGHT,
   .enabled = "time=yes", .help = "Position of the time."},
  {FV_FIELD (FigureChoices, color), .aliases = "colour", .label = "Color", .def_text = "white",
   .help = "Color of the scale bar and text: a name or #rrggbb."},
  {FV_FIELD (FigureChoices, size), .label = "Letters", .unit = "pt", .def = 8, .min = 1, .max = 200, .soft_min = 4,
   .soft_max = 24, .help = "Size of letters."},
  {FV_FIELD (FigureChoices, font), .label = "Font", .advanced = true, .def_text = "Sans", .help = "Font of letters."},
  {FV_FIELD (FigureChoices, shade), .label = "Dark background behind text", .advanced = true,
   .help = "Darkens the image behind the scale bar and text."},
  {FV_FIELD (FigureChoices, step), .label = "Step", .advanced = true, .def = -1, .min = -1, .max = 1e6,
   .help = "Step whose image is shown, counted from 1; 0 is the opened image, -1 the last step."},
  {FV_FIELD (FigureChoices, labels), .label = "Step of the objects", .advanced = true, .max = 1e6,
   .enabled = "objects=outlines|fill",
   .help = "Step whose labels or mask are drawn over the image, counted from 1; 0 chooses as the "
           "app does: the last labels up to that step, otherwise the last ones."},
  {FV_FIELD (FigureChoices, part), .label = "Part", .advanced = true,
   .help = "Bounding box of the shown part, such as rectangle(10,20,300,200), in pixels; empty for "
           "the whole image."},
  {FV_FIELD (FigureChoices, mode), .label = "Mode", .advanced = true, .choices = modes,
   .help = "Which channels are shown."},
  {FV_FIELD (FigureChoices, channel), .label = "Channel", .advanced = true, .ordinal = true, .max = 1e6, .soft_max = 7,
   .enabled = "mode=single", .help = "Channel to show."},
  {FV_FIELD (FigureChoices, slice), .label = "Slice", .advanced = true, .ordinal = true, .max = 1e9, .soft_max = 100,
   .help = "Slice to show."},
  {FV_FIELD (FigureChoices, frame), .label = "Frame", .advanced = true, .ordinal = true, .max = 1e9, .soft_max = 100,
   .help = "Frame to show."},
  {FV_FIELD (FigureChoices, display), .aliases = "looks", .label = "Display", .advanced = true,
   .help = "Display settings of the channels, in order, separated by semicolons, such as low=0 "
           "high=900 lut=fire stretch=log. Omitted settings use the app's defaults."},
  {0}};

const Op *
figure_op (void)
{
  static const Op op = {.fv = {.key = "figure",
                               .label = "Figure",
                               .help = "The image with its annotations.",
                               .args_size = sizeof (FigureChoices),
                               .params = params},
                        .n_params = G_N_ELEMENTS (params) - 1,
                        .plugin = ""};
  return &op;
}

FigureChoices *
figure_choices_new (void)
{
  return args_new (figure_op (), NULL);
}

static gboolean
check_color (const char *key, const char *text, GError **error)
{
  PangoColor color;
  if (pango_color_parse (&color, text))
    return TRUE;
  step_error_set (error, FV_BAD_ARGUMENT, key,
                  "%s must be a name such as white, black or yellow, or a code such as #ff8800, not '%s'.", key, text);
  return FALSE;
}

static gboolean
check_display (const FigureChoices *c, GError **error)
{
  g_autoptr (GArray) settings = *c->display ? look_parse (c->display) : NULL;
  if (!*c->display || settings)
    return TRUE;
  step_error_set (error, FV_BAD_ARGUMENT, "display",
                  "display must be a string such as 'low=0 high=900 lut=fire; limits=automatic gamma=0.5', "
                  "not '%s'.",
                  c->display);
  return FALSE;
}

static gboolean
check_part (const FigureChoices *c, GError **error)
{
  g_autoptr (Selection) part = *c->part ? selection_parse (c->part, error) : NULL;
  if (!*c->part || part)
    return TRUE;
  g_prefix_error (error, "part: ");
  return FALSE;
}

GPtrArray *
figure_choices_selections (const FigureChoices *c, GError **error)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func ((GDestroyNotify) selection_free);
  g_auto (GStrv) texts = g_strsplit (c->selections, ";", -1);
  for (char **text = texts; *text; text++) {
    Selection *selection = *g_strstrip (*text) ? selection_parse (*text, error) : NULL;
    if (selection)
      g_ptr_array_add (all, selection);
    else if (**text) {
      g_prefix_error (error, "selections: ");
      return NULL;
    }
  }
  return g_steal_pointer (&all);
}

static gboolean
check_selections (const FigureChoices *c, GError **error)
{
  g_autoptr (GPtrArray) all = figure_choices_selections (c, error);
  return all != NULL;
}

/* What the words of the declaration cannot say by themselves. */
gboolean
figure_choices_check (gconstpointer choices, GError **error)
{
  const FigureChoices *c = choices;
  return check_part (c, error) && check_display (c, error) && check_selections (c, error)
         && check_color ("color", c->color, error) && check_color ("selection_color", c->selection_color, error);
}

/* As a list, for an error. Free with g_free(). */
static char *
keys (void)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  for (const fv_param *p = params; p->key; p++)
    g_ptr_array_add (all, (gpointer) p->key);
  g_ptr_array_add (all, NULL);
  return g_strjoinv (", ", (char **) all->pdata);
}

static gboolean
set_word (FigureChoices *c, const char *word, GError **error)
{
  const char *equals = strchr (word, '=');
  g_autofree char *key = g_strndup (word, equals ? (gsize) (equals - word) : strlen (word));
  if (equals && args_param (figure_op (), key))
    return args_set (figure_op (), c, key, equals + 1, error);
  g_autofree char *known = keys ();
  step_error_set (error, FV_BAD_ARGUMENT, key, "A figure has no parameter '%s'; it has %s. Write each as NAME=VALUE.",
                  word, known);
  return FALSE;
}

gboolean
figure_choices_set (FigureChoices *c, const char *const *words, GError **error)
{
  if (!args_check_once (figure_op (), words, error))
    return FALSE;
  for (; *words; words++)
    if (!set_word (c, *words, error))
      return FALSE;
  return figure_choices_check (c, error);
}
