/* SPDX-License-Identifier: MIT
 *
 * A table of commands, of their words and of the images on which they do the same. Steps go over all slices, so that "slice" is not known.
 */
#include "core/recipe/imagej.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <math.h>
#include <string.h>

enum { MAX_WORDS = 12 };

typedef struct {
  const char *theirs; /* a whole word, or with '=' at its end the name before a value */
  const char *ours;   /* likewise, or nothing */
} Word;

typedef struct {
  const char *name, *needs; /* a word without which it is not this command */
  const char *before;       /* the steps, with words */
  Word words[MAX_WORDS];
  void (*add) (char *const *words, GString *steps); /* what is computed of words */
  const char *after;
  ImagejRule rule;
} Command;

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

#define FILTERED                                                                                                       \
  {                                                                                                                    \
    IMAGEJ_ANY, IMAGEJ_AREA_CHANGED, .slices = IMAGEJ_SLICES_STACK                                                     \
  }
#define OF_MASKS(area)                                                                                                 \
  {                                                                                                                    \
    IMAGEJ_BINARY, IMAGEJ_AREA_##area, .slices = IMAGEJ_SLICES_STACK                                                   \
  }
#define NOISE                                                                                                          \
  {                                                                                                                    \
    IMAGEJ_32_BIT, IMAGEJ_AREA_CHANGED,                                                                                \
      .slices = IMAGEJ_SLICES_STACK,                                                                                   \
      .differs = "draws another number where a value of 8 or 16 bits would leave its type, which is clamped here"      \
  }
#define WHOLE                                                                                                          \
  {                                                                                                                    \
    IMAGEJ_ANY, IMAGEJ_AREA_OTHER, .range = IMAGEJ_RANGE_FOLLOWS                                                       \
  }
#define RANK(label, operation)                                                                                         \
  {                                                                                                                    \
    .name = label, .before = operation, .words = {{"radius=", ""}, {"stack", ""}}, .add = add_radius, .rule = FILTERED \
  }
#define SIMPLE(label, operation, ...)                                                                                  \
  {                                                                                                                    \
    .name = label, .before = operation, .words = {{"stack", ""}}, .rule = __VA_ARGS__                                  \
  }
/* Outside of the image is background, which erodes. */
#define ERODES "minimum footprint=square radius=1 border=constant"

static const Command commands[] = {
  RANK ("Median...", "median"),
  RANK ("Minimum...", "minimum"),
  RANK ("Maximum...", "maximum"),
  {.name = "Mean...",
   .before = "mean output=same",
   .words = {{"radius=", ""}, {"stack", ""}},
   .add = add_radius,
   .rule = {IMAGEJ_ANY, IMAGEJ_AREA_CHANGED, .slices = IMAGEJ_SLICES_STACK, .rounded = IMAGEJ_16_BIT}},
  {.name = "Variance...",
   .before = "variance output=same",
   .words = {{"radius=", ""}, {"stack", ""}},
   .add = add_radius,
   .rule = {IMAGEJ_ANY, IMAGEJ_AREA_CHANGED, .slices = IMAGEJ_SLICES_STACK, .range = IMAGEJ_RANGE_OTHER,
            .rounded = IMAGEJ_16_BIT}},
  SIMPLE ("Erode", ERODES, OF_MASKS (CHANGED)),
  SIMPLE ("Dilate", "dilation footprint=square", OF_MASKS (CHANGED)),
  SIMPLE ("Open", ERODES " | dilation footprint=square", OF_MASKS (OTHER)),
  SIMPLE ("Close-", "dilation footprint=square | " ERODES, OF_MASKS (OTHER)),
  SIMPLE ("Fill Holes", "fill_holes", OF_MASKS (OTHER)),
  SIMPLE ("Skeletonize", "skeleton method=imagej", OF_MASKS (IGNORED)),
  SIMPLE ("Find Edges", "sobel method=imagej", FILTERED),
  SIMPLE ("Add Noise", "noise", NOISE),
  SIMPLE ("Salt and Pepper", "noise method=salt_and_pepper",
          {IMAGEJ_8_BIT, IMAGEJ_AREA_CHANGED, .slices = IMAGEJ_SLICES_STACK}),
  {.name = "Watershed",
   .before = "split method=imagej",
   .words = {{"stack", ""}},
   .after = " | interpret role=mask",
   .rule = OF_MASKS (IGNORED)},
  {.name = "Gaussian Blur...",
   .before = "gaussian method=imagej output=same",
   .words = {{"sigma=", "sigma="}, {"scaled", "units=physical"}, {"stack", ""}},
   .rule = FILTERED},
  {.name = "Unsharp Mask...",
   .needs = "mask=",
   .before = "unsharp method=imagej output=same",
   .words = {{"radius=", "sigma="}, {"mask=", ""}, {"stack", ""}},
   .add = add_amount,
   .rule = FILTERED},
  {.name = "Subtract Background...",
   .needs = "rolling=",
   .before = "rolling_ball",
   .words = {{"rolling=", "radius="},
             {"light", "light=yes"},
             {"white", "light=yes"},
             {"sliding", "method=paraboloid"},
             {"disable", "smooth=no"},
             {"stack", ""}},
   .rule = {IMAGEJ_GREY, IMAGEJ_AREA_IGNORED, .slices = IMAGEJ_SLICES_STACK, .range = IMAGEJ_RANGE_FOLLOWS}},
  {.name = "Add Specified Noise...",
   .before = "noise",
   .words = {{"standard=", "sigma="}, {"stack", ""}},
   .rule = NOISE},
  {.name = "Bleach Correction",
   .needs = "correction=",
   .before = "bleach",
   .words = {{"correction=Simple Ratio", ""}, {"background=0", ""}, {"background=0.0", ""}},
   .rule = {IMAGEJ_8_BIT | IMAGEJ_16_BIT, IMAGEJ_AREA_OTHER, .range = IMAGEJ_RANGE_OTHER,
            .differs = "takes 8-bit and 16-bit images alone"}},
  {.name = "Reslice [/]...",
   .needs = "avoid", /* else slices are interpolated */
   .before = "reslice",
   .words = {{"output=", ""},
             {"start=Top", ""},
             {"start=Left", "start=left"},
             {"start=Bottom", "start=bottom"},
             {"start=Right", "start=right"},
             {"flip", "flip=yes"},
             {"avoid", ""}},
   .rule = WHOLE},
  {.name = "Make Montage...",
   .needs = "columns=",
   .before = "montage",
   .words = {{"columns=", "columns="},
             {"rows=", "rows="},
             {"scale=1", ""},
             {"increment=1", ""},
             {"border=0", ""},
             {"font=", ""}},
   .rule = WHOLE},
  {.name = "Lab Stack", .before = "rgb to=lab", .rule = {0, IMAGEJ_AREA_IGNORED, .range = IMAGEJ_RANGE_FOLLOWS}},
  {.name = "HSB (32-bit)",
   .before = "rgb to=hsb",
   .rule = {IMAGEJ_RGB, IMAGEJ_AREA_IGNORED, .range = IMAGEJ_RANGE_FOLLOWS}},
  {.name = "RGB to Luminance",
   .before = "rgb weights=luminance",
   .rule = {0, IMAGEJ_AREA_IGNORED,
            .differs = "is a plugin that ImageJ itself does not have, with the weights 0.2126, 0.7152 and 0.0722"}},
  {.name = "Enhance Contrast...",
   .needs = "normalize",
   .before = "contrast",
   .words = {{"saturated=", "saturated="}, {"normalize", ""}, {"process_all", ""}, {"use", "over=series"}},
   .rule = {IMAGEJ_8_BIT | IMAGEJ_16_BIT, IMAGEJ_AREA_OTHER, .slices = IMAGEJ_SLICES_STACK,
            .range = IMAGEJ_RANGE_FOLLOWS}},
  {.name = "Find Maxima...",
   .before = "maxima",
   .words = {{"prominence=", "prominence="},
             {"noise=", "prominence="},
             {"strict", "strict=yes"},
             {"exclude", "exclude_edges=yes"},
             {"light", "light=yes"},
             {"output=Single Points", ""},
             {"output=Maxima Within Tolerance", "output=areas"}},
   .after = " | interpret role=mask",
   .rule = {IMAGEJ_GREY, IMAGEJ_AREA_OTHER, .slices = IMAGEJ_SLICES_CURRENT}},
  {.name = "Z Project...",
   .needs = "projection=",
   .before = "project",
   .words = {{"projection=Max Intensity", "method=max"},
             {"projection=Min Intensity", "method=min"},
             {"projection=Average Intensity", "method=mean output=same"},
             {"projection=Sum Slices", "method=sum"},
             {"projection=Standard Deviation", "method=sd ddof=1"},
             {"projection=Median", "method=median output=same"},
             {"start=", ""},
             {"stop=", ""},
             {"all", ""}},
   .add = add_range,
   .rule = {IMAGEJ_GREY, IMAGEJ_AREA_OTHER, .range = IMAGEJ_RANGE_FOLLOWS, .rounded = IMAGEJ_8_BIT | IMAGEJ_16_BIT}},
  {.name = "Stack to Hyperstack...",
   .needs = "slices=", /* else all would be frames */
   .before = "hyperstack",
   .words = {{"order=xyczt(default)", ""},
             {"order=xyczt", ""},
             {"order=xyctz", "order=ctz"},
             {"order=xyzct", "order=zct"},
             {"order=xyztc", "order=ztc"},
             {"order=xytcz", "order=tcz"},
             {"order=xytzc", "order=tzc"},
             {"channels=", "channels="},
             {"slices=", "slices="},
             {"frames=", "frames="},
             {"display=", ""}},
   .rule = {IMAGEJ_GREY, IMAGEJ_AREA_OTHER, .range = IMAGEJ_RANGE_FOLLOWS}},
  {.name = "Duplicate...",
   .needs = "duplicate",
   .before = "substack",
   .words = {{"title=", "as="},
             {"duplicate", ""},
             {"range=", "slices="},
             {"channels=", "channels="},
             {"slices=", "slices="},
             {"frames=", "frames="}},
   .rule = WHOLE},
};

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
   "fits by a simplex, which ends beside the least squares of run(\"bleach\", \"method=exponential\")."},
  {"Bleach Correction", "correction=Histogram Matching",
   "takes the next value of the first frame. Here run(\"bleach\", \"method=histogram\") takes one between two."},
  {"Bleach Correction", "background=",
   "makes what is below the background 0 before it takes means. Here run(\"bleach\", \"background=...\") does not."},
  {"Gaussian Blur...", "radius=", "is from an old version: set sigma to the radius divided by 2.5."},
};

static const Word *
word_of (const Command *command, const char *word)
{
  for (const Word *w = command->words; w->theirs; w++)
    if (g_str_has_suffix (w->theirs, "=") ? g_str_has_prefix (word, w->theirs) : !strcmp (word, w->theirs))
      return w;
  return NULL;
}

/* FALSE with *error: one of the words is refused. */
static gboolean
check_words (const Command *command, char *const *words, GError **error)
{
  for (; *words; words++)
    for (guint i = 0; i < G_N_ELEMENTS (refused); i++) {
      const char *word = refused[i].word;
      const gboolean prefix = g_str_has_suffix (word, "=");
      if ((refused[i].command && strcmp (refused[i].command, command->name))
          || (prefix ? !g_str_has_prefix (*words, word) : strcmp (*words, word)) || word_of (command, *words))
        continue;
      step_error_set (error, FV_BAD_ARGUMENT, NULL, "ImageJ's %s with %s %s", command->name, *words, refused[i].why);
      return FALSE;
    }
  return TRUE;
}

static const Command *
command_of (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (!strcmp (commands[i].name, name))
      return &commands[i];
  return NULL;
}

static void
append (GString *steps, const Word *word, const char *given)
{
  g_autofree char *value = text_quote (given + strlen (word->theirs));
  if (*word->ours)
    g_string_append_printf (steps, " %s%s", word->ours, g_str_has_suffix (word->ours, "=") ? value : "");
}

/* Says what the command takes. */
static void
wrong_words (const Command *command, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);
  for (const Word *w = command->words; w->theirs; w++)
    g_string_append_printf (known, "%s%s", w == command->words ? "" : ", ", w->theirs);
  step_error_set (error, FV_BAD_ARGUMENT, NULL, "ImageJ's %s is supported only with %s%s%s%s.", command->name,
                  known->str, command->needs ? ", of which it needs " : "", command->needs ? command->needs : "",
                  command->needs ? "," : "");
}

static char *
steps_of (const Command *command, char *const *words)
{
  g_autoptr (GString) steps = g_string_new (command->before);
  gboolean complete = !command->needs;
  for (char *const *word = words; *word; word++) {
    const Word *known = word_of (command, *word);
    if (!known)
      return NULL;
    complete = complete || g_str_has_prefix (*word, command->needs);
    append (steps, known, *word);
  }
  if (!complete)
    return NULL;
  if (command->add)
    command->add (words, steps);
  g_string_append (steps, command->after ? command->after : "");
  return g_string_free (g_steal_pointer (&steps), FALSE);
}

char *
imagej_steps (const char *command, char *const *words, gboolean own, GError **error)
{
  if (!words[0] && g_str_has_suffix (command, "...")) /* a dialog's always has some */
    return NULL;
  const Command *known = command_of (command);
  char *steps = known ? steps_of (known, words) : NULL;
  if (known && !steps && check_words (known, words, error) && !own)
    wrong_words (known, error);
  return steps;
}

const ImagejRule *
imagej_rule (const char *command)
{
  return &command_of (command)->rule;
}

char *
imagej_threshold (const char *words, GError **error)
{
  static const Word methods[] = {
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
