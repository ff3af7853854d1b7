/* SPDX-License-Identifier: MIT
 *
 * A table of commands and of their words. Steps go over all slices, so that "stack" says nothing and "slice" is not known.
 */
#include "core/recipe/imagej.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <string.h>

enum { MAX_WORDS = 12 };

typedef struct {
  const char *theirs; /* a whole word, or with '=' at its end what its value stands behind */
  const char *ours;   /* likewise, or nothing */
} Word;

typedef struct {
  const char *name, *needs; /* a word without which it is not this command */
  const char *before;       /* the steps, with words */
  Word words[MAX_WORDS];
  void (*add) (char *const *words, GString *steps); /* what is computed of words */
  const char *after;
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

/* The first and the last slice, which count from 1; what is no range is a number that the step refuses. */
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

#define RANK(label, operation)                                                                                         \
  {                                                                                                                    \
    .name = label, .before = operation " footprint=imagej", .words = { {"radius=", "radius="}, {"stack", ""} }         \
  }
#define BINARY(label, operation)                                                                                       \
  {                                                                                                                    \
    .name = label, .before = operation, .words = { {"stack", ""} }                                                     \
  }

static const Command commands[] = {
  RANK ("Median...", "median"),
  RANK ("Minimum...", "minimum"),
  RANK ("Maximum...", "maximum"),
  RANK ("Mean...", "mean output=same"),
  RANK ("Variance...", "variance output=same"),
  BINARY ("Erode", "erosion footprint=square"),
  BINARY ("Dilate", "dilation footprint=square"),
  BINARY ("Open", "opening footprint=square"),
  BINARY ("Close-", "closing footprint=square"),
  BINARY ("Fill Holes", "fill_holes"),
  BINARY ("Outline", "outline"),
  BINARY ("Skeletonize", "skeleton"),
  BINARY ("Find Edges", "sobel method=imagej"),
  BINARY ("Add Noise", "noise"),
  BINARY ("Salt and Pepper", "noise method=salt_and_pepper"),
  {.name = "Watershed", .before = "split method=imagej", .words = {{"stack", ""}}, .after = " | interpret role=mask"},
  {.name = "Gaussian Blur...",
   .before = "gaussian",
   .words = {{"sigma=", "sigma="}, {"scaled", "units=physical"}, {"stack", ""}}},
  {.name = "Unsharp Mask...",
   .needs = "mask=",
   .before = "unsharp output=same",
   .words = {{"radius=", "sigma="}, {"mask=", ""}, {"stack", ""}},
   .add = add_amount},
  {.name = "Subtract Background...",
   .needs = "rolling=",
   .before = "rolling_ball",
   .words = {{"rolling=", "radius="},
             {"light", "light=yes"},
             {"white", "light=yes"},
             {"sliding", "method=paraboloid"},
             {"disable", "smooth=no"},
             {"stack", ""}}},
  {.name = "Add Specified Noise...", .before = "noise", .words = {{"standard=", "sigma="}, {"stack", ""}}},
  {.name = "Bleach Correction",
   .needs = "correction=",
   .before = "bleach",
   .words = {{"correction=Simple Ratio", ""},
             {"correction=Exponential Fit", "method=exponential"},
             {"correction=Histogram Matching", "method=histogram"},
             {"background=", "background="}}},
  {.name = "Reslice [/]...",
   .needs = "avoid", /* else slices are interpolated */
   .before = "reslice",
   .words = {{"output=", ""},
             {"start=Top", ""},
             {"start=Left", "start=left"},
             {"start=Bottom", "start=bottom"},
             {"start=Right", "start=right"},
             {"flip", "flip=yes"},
             {"avoid", ""}}},
  {.name = "Make Montage...",
   .needs = "columns=",
   .before = "montage",
   .words = {{"columns=", "columns="},
             {"rows=", "rows="},
             {"scale=1", ""},
             {"increment=1", ""},
             {"border=", "gap="},
             {"font=", ""}}},
  BINARY ("Lab Stack", "rgb to=lab"),
  BINARY ("HSB (32-bit)", "rgb to=hsb"),
  BINARY ("RGB to Luminance", "rgb weights=rec601"),
  {.name = "Enhance Contrast...",
   .needs = "normalize",
   .before = "contrast",
   .words = {{"saturated=", "saturated="}, {"normalize", ""}, {"process_all", ""}, {"use", "over=series"}}},
  {.name = "Find Maxima...",
   .before = "maxima",
   .words = {{"prominence=", "prominence="},
             {"noise=", "prominence="},
             {"strict", "strict=yes"},
             {"exclude", "exclude_edges=yes"},
             {"light", "light=yes"},
             {"output=Single Points", ""},
             {"output=Point Selection", ""},
             {"output=Count", ""},
             {"output=List", ""},
             {"output=Maxima Within Tolerance", "output=areas"}}},
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
   .add = add_range},
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
             {"display=", ""}}},
  {.name = "Duplicate...",
   .needs = "duplicate",
   .before = "substack",
   .words = {{"title=", "as="},
             {"duplicate", ""},
             {"range=", "slices="},
             {"channels=", "channels="},
             {"slices=", "slices="},
             {"frames=", "frames="}}},
};

static const Word *
word_of (const Command *command, const char *word)
{
  for (const Word *w = command->words; w->theirs; w++)
    if (g_str_has_suffix (w->theirs, "=") ? g_str_has_prefix (word, w->theirs) : !strcmp (word, w->theirs))
      return w;
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
  step_error_set (error, FV_BAD_ARGUMENT, NULL, "ImageJ's %s is known with %s%s%s%s here.", command->name, known->str,
                  command->needs ? ", of which it needs " : "", command->needs ? command->needs : "",
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
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (!strcmp (commands[i].name, command)) {
      char *steps = steps_of (&commands[i], words);
      if (!steps && !own)
        wrong_words (&commands[i], error);
      return steps;
    }
  return NULL;
}

char *
imagej_threshold (const char *words, GError **error)
{
  static const Word methods[] = {{"Default", "imagej_default"},
                                 {"Huang", "huang"},
                                 {"IJ_IsoData", "imagej_ij_isodata"},
                                 {"IsoData", "imagej_isodata"},
                                 {"Li", "imagej_li"},
                                 {"MaxEntropy", "max_entropy"},
                                 {"Mean", "mean"},
                                 {"Minimum", "imagej_minimum"},
                                 {"Otsu", "otsu"},
                                 {"Triangle", "imagej_triangle"},
                                 {"Yen", "yen"}};
  g_auto (GStrv) parts = g_strsplit (words, " ", -1);
  gboolean dark = g_strv_contains ((const char *const *) parts, "dark");
  gboolean stack = g_strv_contains ((const char *const *) parts, "stack");
  g_autoptr (GString) known = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    if (!g_strcmp0 (parts[0], methods[i].theirs))
      return g_strdup_printf ("threshold method=%s dark_background=%s volume=%s", methods[i].ours, dark ? "yes" : "no",
                              stack ? "yes" : "no");
    else
      g_string_append_printf (known, "%s%s", i ? ", " : "", methods[i].theirs);
  step_error_set (error, FV_BAD_ARGUMENT, NULL, "There is no threshold by '%s' here, but by %s.",
                  parts[0] ? parts[0] : "", known->str);
  return NULL;
}
