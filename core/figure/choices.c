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
                                  {"mm", "mm", "Millimetres."},
                                  {"cm", "cm", "Centimetres."},
                                  {"inch", "inches", "Inches."},
                                  {0}};
static const fv_choice modes[] = {
  {"composite", "Composite", "All channels, their colours added."}, {"single", "Single", "One channel."}, {0}};
static const fv_choice panels[] = {{"one", "One image", "The plane that is shown."},
                                   {"channels", "Each channel", "Each channel, and at last all together."},
                                   {"slices", "Each slice", "All slices, alike bright."},
                                   {"frames", "Each frame", "All frames, alike bright."},
                                   {0}};
static const fv_choice objects[] = {{"outlines", "Outlines", "Their outlines."},
                                    {"fill", "Filled", "The whole objects."},
                                    {"none", "Not drawn", "Nothing of them."},
                                    {0}};
static const fv_choice places[] = {{"lower_right", "Lower right", "In the lower right corner."},
                                   {"lower_left", "Lower left", "In the lower left corner."},
                                   {"upper_right", "Upper right", "In the upper right corner."},
                                   {"upper_left", "Upper left", "In the upper left corner."},
                                   {0}};

static const fv_param params[] = {
  {FV_FIELD (FigureChoices, width), .label = "Width", .max = 1e5, .soft_max = 200,
   .help = "Width of the image in the figure; 0 gives a dot to each of its pixels."},
  {FV_FIELD (FigureChoices, unit), .label = "Unit", .choices = units, .help = "What the width is in."},
  {FV_FIELD (FigureChoices, dpi), .label = "Resolution", .unit = "dots per inch", .def = 300, .min = 10, .max = 4800,
   .soft_min = 72, .soft_max = 1200, .help = "How fine the pixels are, and how large the letters are in them."},
  {FV_FIELD (FigureChoices, panels), .label = "Montage", .choices = panels,
   .help = "What is in the figure side by side; the width is that of each image."},
  {FV_FIELD (FigureChoices, panel_columns), .label = "In a row", .max = 400, .soft_max = 12,
   .enabled = "panels=channels|slices|frames", .help = "How many images stand in a row; 0 makes about as many rows."},
  {FV_FIELD (FigureChoices, smooth), .label = "Smooth", .advanced = true,
   .help = "Whether enlarged pixels run into each other; otherwise they stay squares."},
  {FV_FIELD (FigureChoices, objects), .label = "Objects", .choices = objects,
   .help = "What is drawn of labels or a mask over the image."},
  {FV_FIELD (FigureChoices, opacity), .label = "Opacity", .advanced = true, .def = 0.5, .max = 1,
   .enabled = "objects=fill", .help = "How much of an object's colour covers the image."},
  {FV_FIELD (FigureChoices, line), .label = "Line", .advanced = true, .unit = "pt", .def = 0.75, .min = 0.05, .max = 20,
   .soft_min = 0.25, .soft_max = 4, .enabled = "objects=outlines", .help = "Width of outlines."},
  {FV_FIELD (FigureChoices, selections), .label = "Selections", .advanced = true,
   .help = "Selections that are drawn, such as oval(10,20,300,200), separated by semicolons."},
  {FV_FIELD (FigureChoices, selection_colour), .label = "Their colour", .advanced = true, .def_text = "yellow",
   .help = "Colour of selections, by its name or as #rrggbb."},
  {FV_FIELD (FigureChoices, bar), .label = "Scale bar", .def = 1, .help = "Whether there is a scale bar."},
  {FV_FIELD (FigureChoices, bar_place), .label = "Place of the bar", .choices = places, .enabled = "bar=yes",
   .help = "Where the scale bar is."},
  {FV_FIELD (FigureChoices, bar_length), .label = "Length of the bar", .max = 1e12, .soft_max = 100,
   .enabled = "bar=yes", .help = "Of the scale bar; 0 is a round one that fits."},
  {FV_FIELD (FigureChoices, bar_unit), .label = "Unit of the bar", .advanced = true, .enabled = "bar=yes",
   .help = "Unit of the scale bar's length, such as nm; the image's when there is none."},
  {FV_FIELD (FigureChoices, bar_height), .label = "Thickness of the bar", .advanced = true, .unit = "pt", .def = 2,
   .min = 0.1, .max = 50, .soft_min = 0.5, .soft_max = 6, .enabled = "bar=yes", .help = "Of the scale bar."},
  {FV_FIELD (FigureChoices, bar_label), .label = "Length in words", .advanced = true, .def = 1, .enabled = "bar=yes",
   .help = "Whether the scale bar's length stands by it."},
  {FV_FIELD (FigureChoices, colour_bar), .label = "Colour bar",
   .help =
     "Whether a bar at the right of the image says which values its colours are; colour images and labels have none."},
  {FV_FIELD (FigureChoices, text), .label = "Text", .help = "What stands in the image, such as A."},
  {FV_FIELD (FigureChoices, text_place), .label = "Place of the text", .choices = places, .def = FIGURE_UPPER_LEFT,
   .help = "Where the text is."},
  {FV_FIELD (FigureChoices, time), .label = "Time",
   .help = "Whether the time of the frame stands in the image, since the first one."},
  {FV_FIELD (FigureChoices, time_place), .label = "Place of the time", .choices = places, .def = FIGURE_UPPER_RIGHT,
   .enabled = "time=yes", .help = "Where the time is."},
  {FV_FIELD (FigureChoices, colour), .label = "Colour", .def_text = "white",
   .help = "Colour of the scale bar and of letters in the image, by its name or as #rrggbb."},
  {FV_FIELD (FigureChoices, size), .label = "Letters", .unit = "pt", .def = 8, .min = 1, .max = 200, .soft_min = 4,
   .soft_max = 24, .help = "Size of letters."},
  {FV_FIELD (FigureChoices, font), .label = "Font", .advanced = true, .def_text = "Sans", .help = "Font of letters."},
  {FV_FIELD (FigureChoices, shade), .label = "Dark behind letters", .advanced = true,
   .help = "Whether the image is darker behind the scale bar and letters."},
  {FV_FIELD (FigureChoices, step), .label = "Step", .advanced = true, .def = -1, .min = -1, .max = 1e6,
   .help = "The step whose image is shown, from 1; 0 is the opened image, -1 the last one."},
  {FV_FIELD (FigureChoices, labels), .label = "Step of the objects", .advanced = true, .max = 1e6,
   .enabled = "objects=outlines|fill",
   .help = "The step that makes the labels or the mask that are drawn over it, from 1; 0 is as in a window: the last "
           "labels up to that step, else the last ones."},
  {FV_FIELD (FigureChoices, part), .label = "Part", .advanced = true,
   .help =
     "The box around a selection such as rectangle(10,20,300,200), in pixels; the whole image when there is none."},
  {FV_FIELD (FigureChoices, mode), .label = "Mode", .advanced = true, .choices = modes,
   .help = "Which channels are shown."},
  {FV_FIELD (FigureChoices, channel), .label = "Channel", .advanced = true, .ordinal = true, .max = 1e6, .soft_max = 7,
   .enabled = "mode=single", .help = "The channel that is shown."},
  {FV_FIELD (FigureChoices, slice), .label = "Slice", .advanced = true, .ordinal = true, .max = 1e9, .soft_max = 100,
   .help = "The slice that is shown."},
  {FV_FIELD (FigureChoices, frame), .label = "Frame", .advanced = true, .ordinal = true, .max = 1e9, .soft_max = 100,
   .help = "The frame that is shown."},
  {FV_FIELD (FigureChoices, looks), .label = "Looks", .advanced = true,
   .help =
     "How channels are shown, in turn, separated by semicolons, such as low=0 high=900 lut=fire stretch=log; what "
     "is not said is as in a window."},
  {0}};

const Op *
figure_op (void)
{
  static const Op op = {.fv = {.key = "figure",
                               .label = "Figure",
                               .help = "A picture of the image with what explains it.",
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
check_colour (const char *key, const char *text, GError **error)
{
  PangoColor colour;
  if (pango_color_parse (&colour, text))
    return TRUE;
  step_error_set (error, FV_BAD_ARGUMENT, key,
                  "%s is a name such as white, black or yellow, or as in #ff8800, not '%s'.", key, text);
  return FALSE;
}

static gboolean
check_looks (const FigureChoices *c, GError **error)
{
  g_autoptr (GArray) looks = *c->looks ? look_parse (c->looks) : NULL;
  if (!*c->looks || looks)
    return TRUE;
  step_error_set (error, FV_BAD_ARGUMENT, "looks",
                  "looks is a text such as 'low=0 high=900 lut=fire; limits=automatic gamma=0.5', not '%s'.", c->looks);
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
static gboolean
check (const FigureChoices *c, GError **error)
{
  return check_part (c, error) && check_looks (c, error) && check_selections (c, error)
         && check_colour ("colour", c->colour, error) && check_colour ("selection_colour", c->selection_colour, error);
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
  step_error_set (error, FV_BAD_ARGUMENT, key, "A figure has no '%s'; it has %s, each as NAME=VALUE.", word, known);
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
  return check (c, error);
}
