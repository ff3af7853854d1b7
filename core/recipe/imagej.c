/* SPDX-License-Identifier: MIT
 *
 * Operations declare ImageJ's commands with their words. Here is what makes arguments of words by code, what takes several steps, and what is
 * refused with a reason. Steps go over all slices, so that "slice" is not known.
 */
#include "core/recipe/imagej.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <math.h>
#include <string.h>

static const char *
value_of (char *const *words, const char *key)
{
  for (; *words; words++)
    if (g_str_has_prefix (*words, key))
      return *words + strlen (key);
  return NULL;
}

/* The weight w of the mask: (image - w x blurred) / (1 - w). */
static void
add_amount (char *const *words, GString *steps)
{
  const char *mask = value_of (words, "mask=");
  double weight;
  g_autofree char *amount =
    text_to_number (mask, &weight) ? text_from_number (text_round (weight / (1 - weight), 12)) : text_quote (mask);
  g_string_append_printf (steps, " amount=%s", amount);
}

/* The first and the last slice, counted from 1. An invalid range becomes a number that the step refuses. */
static void
add_range (char *const *words, GString *steps)
{
  const char *start = value_of (words, "start="), *stop = value_of (words, "stop=");
  gint64 first = start ? g_ascii_strtoll (start, NULL, 10) : 1, last = stop ? g_ascii_strtoll (stop, NULL, 10) : first;
  if (start)
    g_string_append_printf (steps, " first=%" G_GINT64_FORMAT, first - 1);
  if (stop)
    g_string_append_printf (steps, " count=%" G_GINT64_FORMAT, last < first ? -1 : last - first + 1);
}

/* The pixels of a circle in ImageJ are those with x x + y y <= this. */
static int
circle_square (double radius)
{
  const double r = radius >= 1.5 && radius < 1.75 ? 1.75 : radius >= 2.5 && radius < 2.85 ? 2.85 : radius;
  return (int) (r * r) + 1;
}

static void
add_circle (GString *steps, int square)
{
  const int reach = (int) sqrt (square + 1e-10);
  g_string_append (steps, " footprint=matrix matrix='");
  for (int y = -reach; y <= reach; y++)
    for (int x = -reach; x <= reach; x++)
      g_string_append_printf (steps, "%s%d", x > -reach ? " " : y > -reach ? "; " : "", x * x + y * y <= square);
  g_string_append_c (steps, '\'');
}

/* A circle of the footprint `imagej` has a whole number as radius. */
static void
add_radius (char *const *words, GString *steps)
{
  const char *text = value_of (words, "radius=");
  double radius = 0;
  const gboolean known = text && text_to_number (text, &radius) && radius >= 0 && radius < 15.5;
  const int square = known ? circle_square (radius) : 0, whole = known ? (int) sqrt (square - 1 + 1e-10) : 0;
  g_autofree char *quoted = text ? text_quote (text) : NULL;
  if (known && (!whole || whole * whole + 1 != square))
    add_circle (steps, square);
  else if (known)
    g_string_append_printf (steps, " footprint=imagej radius=%d", whole);
  else
    g_string_append_printf (steps, " footprint=imagej%s%s", text ? " radius=" : "", text ? quoted : "");
}

/* ---- Commands ---- */

/* Outside of the image is background, which erodes. */
#define ERODE "minimum footprint=square radius=1 border=constant"
#define DILATE "dilation footprint=square"
#define OF_MASKS(NAME)                                                                                                 \
  {                                                                                                                    \
    .command = NAME, .words = (const fv_imagej_word[]){{"stack", ""}, {0}}, .images = FV_IMAGEJ_BINARY,                \
    .area = FV_IMAGEJ_AREA_OTHER, .slices = FV_IMAGEJ_SLICES_STACK                                                     \
  }

/* Commands that take several steps. */
static const struct {
  const char *steps;
  fv_imagej line;
} several[] = {{ERODE " | " DILATE, OF_MASKS ("Open")}, {DILATE " | " ERODE, OF_MASKS ("Close-")}};

/* Commands of which words are computed with. */
static const struct {
  const char *command;
  void (*add) (char *const *words, GString *steps);
} computed[] = {{"Median...", add_radius},  {"Minimum...", add_radius},  {"Maximum...", add_radius},
                {"Mean...", add_radius},    {"Variance...", add_radius}, {"Unsharp Mask...", add_amount},
                {"Z Project...", add_range}};

/* Words whose meaning in ImageJ no step has; the rest of an error after "ImageJ's COMMAND with WORD ". */
static const struct {
  const char *command, *word, *why; /* command: NULL: any of the above */
} refused[] = {
  {NULL, "slice", "changes only the current slice. Fovea's steps change all of them; stack confirms that."},
  {"Find Maxima...", "output=Segmented Particles",
   "cuts the image into the surroundings of maxima, which is not supported here. "
   "run(\"watershed\", \"seeds=...\") is similar."},
  {"Find Maxima...", "output=Point Selection",
   "does not change the image, but selects points. Use run(\"maxima\", \"prominence=...\"), "
   "which finds the same points as labels."},
  {"Find Maxima...", "output=Count",
   "does not change the image, but counts maxima. Use run(\"maxima\", \"prominence=...\"), "
   "which makes a table with one row per point."},
  {"Find Maxima...", "output=List",
   "does not change the image, but lists points. Use run(\"maxima\", \"prominence=...\"), "
   "which makes a table with one row per point."},
  {"Make Montage...", "border=", "draws lines. Fovea's run(\"montage\", \"columns=... gap=...\") leaves gaps."},
  {"Make Montage...", "scale=", "scales slices down. Use run(\"zoom\", \"factor=...\") before a montage with scale=1."},
  {"Subtract Background...", "create",
   "returns the background. In Fovea, it is the second result of run(\"rolling_ball\", "
   "\"radius=... as=left,background\")."},
  {"Subtract Background...", "separate", "splits colors. Use run(\"rolling_ball\", \"radius=...\")."},
  {"Enhance Contrast...", "stack", "is process_all."},
  {"Enhance Contrast...", "equalize", "equalizes. Fovea's run(\"equalize\") is similar."},
  {"Bleach Correction", "correction=Exponential Fit",
   "fits by a simplex, which ends near the least squares of run(\"bleach\", \"method=exponential\")."},
  {"Bleach Correction", "correction=Histogram Matching",
   "takes the next value of the first frame. Here run(\"bleach\", \"method=histogram\") takes one between two."},
  {"Bleach Correction", "background=",
   "makes what is below the background 0 before it takes means. Here run(\"bleach\", \"background=...\") does not."},
  {"Gaussian Blur...", "radius=", "is from an old version: set sigma to the radius divided by 2.5."},
};

static const fv_imagej_word *
word_of (const fv_imagej *line, const char *word)
{
  for (const fv_imagej_word *w = line->words; w && w->theirs; w++)
    if (g_str_has_suffix (w->theirs, "=") ? g_str_has_prefix (word, w->theirs) : !strcmp (word, w->theirs))
      return w;
  return NULL;
}

/* FALSE with *error: one of the words is refused. */
static gboolean
check_words (const fv_imagej *line, char *const *words, GError **error)
{
  for (; *words; words++)
    for (guint i = 0; i < G_N_ELEMENTS (refused); i++) {
      const char *word = refused[i].word;
      const gboolean prefix = g_str_has_suffix (word, "=");
      if ((refused[i].command && strcmp (refused[i].command, line->command))
          || (prefix ? !g_str_has_prefix (*words, word) : strcmp (*words, word)) || word_of (line, *words))
        continue;
      step_error_set (error, FV_BAD_ARGUMENT, NULL, "ImageJ's %s with %s %s", line->command, *words, refused[i].why);
      return FALSE;
    }
  return TRUE;
}

/* *begin: the steps without words. Free with g_free(). NULL: nothing has that command. */
static const fv_imagej *
line_of (const Modules *modules, const char *command, char **begin)
{
  const GPtrArray *ops = modules_ops (modules);
  for (guint i = 0; i < G_N_ELEMENTS (several); i++)
    if (!strcmp (several[i].line.command, command)) {
      *begin = g_strdup (several[i].steps);
      return &several[i].line;
    }
  for (guint i = 0; i < ops->len; i++) {
    const Op *op = ops->pdata[i];
    const fv_imagej *line = op_imagej (op, command);
    if (line) {
      *begin = line->args ? g_strdup_printf ("%s %s", op->fv.key, line->args) : g_strdup (op->fv.key);
      return line;
    }
  }
  return NULL;
}

static void
append (GString *steps, const fv_imagej_word *word, const char *given)
{
  g_autofree char *value = text_quote (given + strlen (word->theirs));
  if (*word->ours)
    g_string_append_printf (steps, " %s%s", word->ours, g_str_has_suffix (word->ours, "=") ? value : "");
}

/* Says what the command takes. */
static void
wrong_words (const fv_imagej *line, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);
  for (const fv_imagej_word *w = line->words; w && w->theirs; w++)
    g_string_append_printf (known, "%s%s", w == line->words ? "" : ", ", w->theirs);
  step_error_set (error, FV_BAD_ARGUMENT, NULL, "ImageJ's %s is supported only with %s%s%s%s.", line->command,
                  known->str, line->needs ? ", of which it needs " : "", line->needs ? line->needs : "",
                  line->needs ? "," : "");
}

static void
add_computed (const fv_imagej *line, char *const *words, GString *steps)
{
  for (guint i = 0; i < G_N_ELEMENTS (computed); i++)
    if (!strcmp (computed[i].command, line->command))
      computed[i].add (words, steps);
}

static char *
steps_of (const fv_imagej *line, const char *begin, char *const *words)
{
  g_autoptr (GString) steps = g_string_new (begin);
  gboolean complete = !line->needs;
  for (char *const *word = words; *word; word++) {
    const fv_imagej_word *known = word_of (line, *word);
    if (!known)
      return NULL;
    complete = complete || g_str_has_prefix (*word, line->needs);
    append (steps, known, *word);
  }
  if (!complete)
    return NULL;
  add_computed (line, words, steps);
  g_string_append (steps, line->mask ? " | interpret role=mask" : "");
  return g_string_free (g_steal_pointer (&steps), FALSE);
}

char *
imagej_steps (const Modules *modules, const char *command, char *const *words, gboolean own, GError **error)
{
  g_autofree char *begin = NULL;
  if (!words[0] && g_str_has_suffix (command, "...")) /* a dialog's always has some */
    return NULL;
  const fv_imagej *known = line_of (modules, command, &begin);
  char *steps = known ? steps_of (known, begin, words) : NULL;
  if (known && !steps && check_words (known, words, error) && !own)
    wrong_words (known, error);
  return steps;
}

const fv_imagej *
imagej_line (const Modules *modules, const char *command)
{
  g_autofree char *begin = NULL;
  return line_of (modules, command, &begin);
}

char *
imagej_threshold (const char *words, GError **error)
{
  static const fv_imagej_word methods[] = {
    {"Default", "imagej_default"},   {"Huang", "imagej_huang"},     {"IJ_IsoData", "imagej_ij_isodata"},
    {"IsoData", "imagej_isodata"},   {"Li", "imagej_li"},           {"MaxEntropy", "imagej_max_entropy"},
    {"Mean", "imagej_mean"},         {"Minimum", "imagej_minimum"}, {"Otsu", "imagej_otsu"},
    {"Triangle", "imagej_triangle"}, {"Yen", "imagej_yen"}};
  static const char *const shown[] = {"dark", "stack", "b&w", "over", "no-lut", "", NULL};
  g_auto (GStrv) parts = g_strsplit (words, " ", -1);
  for (guint i = 1; parts[0] && parts[i]; i++)
    if (!g_strv_contains (shown, parts[i])) {
      step_error_set (error, FV_BAD_ARGUMENT, NULL,
                      "setAutoThreshold() accepts a method, dark and stack, not '%s': a threshold is found on "
                      "256 bins from the smallest to the largest value.",
                      parts[i]);
      return NULL;
    }
  gboolean dark = g_strv_contains ((const char *const *) parts, "dark");
  gboolean stack = g_strv_contains ((const char *const *) parts, "stack");
  g_autoptr (GString) known = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    if (!g_strcmp0 (parts[0], methods[i].theirs))
      return g_strdup_printf ("threshold method=%s dark_background=%s volume=%s", methods[i].ours, dark ? "yes" : "no",
                              stack ? "yes" : "no");
    else
      g_string_append_printf (known, "%s%s", i ? ", " : "", methods[i].theirs);
  step_error_set (error, FV_BAD_ARGUMENT, NULL, "Unknown threshold method '%s'. Use %s.", parts[0] ? parts[0] : "",
                  known->str);
  return NULL;
}
