/* SPDX-License-Identifier: MIT
 *
 * Thresholds are kept until a command makes a mask by them.
 */
#include "core/macro/imagej.h"

#include "core/base/text.h"
#include "core/data/value_calibration.h"
#include "core/macro/images.h"
#include "core/macro/imagej_checks.h"
#include "core/macro/imagej_lines.h"
#include "core/macro/imagej_range.h"
#include "core/recipe/imagej.h"

#include <math.h>
#include <string.h>

/* ---- Thresholds ---- */

static int
keep_threshold (Macro *m, char *step)
{
  g_free (m->threshold);
  m->threshold = step;
  m->limits[0] = NAN;
  m->thresholded = macro_current (m);
  return 0;
}

/* Freed with g_free(). */
static char *
manual_threshold (double lower, double upper)
{
  g_autofree char *low = text_from_number (lower), *high = text_from_number (upper);
  return g_strdup_printf ("threshold method=manual lower=%s upper=%s", low, high);
}

/* What ImageJ has thresholds of. */
static void
check_image (Macro *m, const char *command)
{
  const ImageInfo *info = image_info (images_shown (m, NULL));
  imagej_check_opened (m, command);
  if (info->role == FV_RGB)
    macro_fail_text (m, "ImageJ's %s does not accept RGB images. Use run(\"8-bit\") to average the colors.", command);
  if (info->inverted)
    macro_fail_text (m,
                     "ImageJ's %s swaps dark and bright in an image with an inverted look-up table, which is "
                     "not supported here.",
                     command);
}

/* Of stacks of other types ImageJ finds thresholds on other bins. */
static void
check_bytes (Macro *m, const char *words)
{
  const ImageInfo *info = image_info (images_shown (m, NULL));
  if (info->type != FV_U8 && imagej_slices (info) > 1)
    macro_fail_text (m,
                     "ImageJ's %s uses other bins for 16-bit and 32-bit stacks than for one slice, which is "
                     "not supported here. Use run(\"8-bit\") first, or run(\"threshold\", "
                     "\"method=imagej_otsu\").",
                     words);
}

/* Limits are calibrated values. */
static void
to_stored (Macro *m, double *lower, double *upper)
{
  Image *image = images_shown (m, NULL);
  if (!value_is_calibrated (image_info (image)) || *lower > *upper)
    return;
  *lower = value_to_stored (image, *lower);
  *upper = value_to_stored (image, *upper);
  if (*lower > *upper)
    macro_fail_text (m,
                     "The calibrated values of this image decrease, and ImageJ's setThreshold() then selects nothing. "
                     "Use pixel values: setThreshold(%g, %g, \"raw\").",
                     *upper, *lower);
}

static int
set_threshold (lua_State *L, Macro *m)
{
  double lower = luaL_checknumber (L, 1), upper = luaL_checknumber (L, 2);
  const char *mode = lua_isnoneornil (L, 3) ? NULL : macro_text (L, 3);
  macro_current (m);
  if (mode && strcmp (mode, "raw"))
    macro_fail_text (m, "setThreshold() accepts only \"raw\" as its third argument, not '%s'.", mode);
  if (!mode)
    to_stored (m, &lower, &upper);
  if (isnan (lower) || isnan (upper) || lower > upper)
    macro_fail_text (m, "A threshold needs two numbers, the second not below the first, not %g and %g.", lower, upper);
  keep_threshold (m, manual_threshold (lower, upper));
  m->limits[0] = lower;
  m->limits[1] = upper;
  return 0;
}

static int
set_auto_threshold (lua_State *L, Macro *m)
{
  GError *error = NULL;
  const char *words = macro_text (L, 1);
  char *step = imagej_threshold (words, &error);
  if (!step)
    macro_fail (m, error);
  macro_own (m, step, g_free);
  check_image (m, "setAutoThreshold()");
  if (strstr (words, "stack")) {
    imagej_check_channels (m, "setAutoThreshold() with stack");
    check_bytes (m, "\"stack\"");
  }
  imagej_check_threshold (m);
  if (imagej_area (m))
    macro_fail_text (m, "setAutoThreshold() uses only the selected pixels in ImageJ, which is not supported "
                        "here: use run(\"Select None\") first.");
  return keep_threshold (m, g_strdup (step));
}

static int
reset_threshold (lua_State *L, Macro *m)
{
  (void) L;
  g_clear_pointer (&m->threshold, g_free);
  return 0;
}

/* What the words of "Convert to Mask" say of a stack. */
typedef struct {
  const char *method, *background;
  gboolean each;
} MaskWords;

static MaskWords
read_mask_words (Macro *m, const char *command, char *const *words)
{
  MaskWords w = {"Default", NULL, FALSE};
  for (; *words; words++)
    if (g_str_has_prefix (*words, "method="))
      w.method = *words + strlen ("method=");
    else if (!strcmp (*words, "background=Dark") || !strcmp (*words, "background=Light"))
      w.background = *words + strlen ("background=");
    else if (!strcmp (*words, "calculate"))
      w.each = TRUE;
    else if (strcmp (*words, "black") && strcmp (*words, "list"))
      macro_fail_text (m, "run(\"%s\", …) accepts method=, background=Dark or Light, and calculate, not '%s'.", command,
                       *words);
  return w;
}

/* A threshold of each slice. */
static const char *
threshold_of_words (Macro *m, const char *command, const MaskWords *w)
{
  GError *error = NULL;
  if (!w->background)
    macro_fail_text (m, "run(\"%s\", …) with calculate needs background=Dark or background=Light.", command);
  check_bytes (m, "calculate");
  if (imagej_slices (image_info (images_shown (m, NULL))) == 1)
    macro_fail_text (m,
                     "ImageJ's %s uses these words for stacks only. For one slice, call setAutoThreshold(\"%s "
                     "dark\") first.",
                     command, w->method);
  imagej_check_threshold (m);
  char *text = macro_own (m, g_strdup_printf ("%s%s", w->method, *w->background == 'D' ? " dark" : ""), g_free);
  char *step = imagej_threshold (text, &error);
  if (!step)
    macro_fail (m, error);
  return macro_own (m, step, g_free);
}

/* The threshold that was set. In a stack that of one slice is for all in ImageJ. */
static const char *
threshold_set (Macro *m, const char *command, gboolean said)
{
  const gint64 slices = imagej_slices (image_info (images_shown (m, NULL)));
  if (!m->threshold || m->thresholded != macro_current (m))
    macro_fail_text (m,
                     "run(\"%s\") needs a threshold: setThreshold(lower, upper), or "
                     "setAutoThreshold(\"Default dark\"), without dark if objects are darker than the "
                     "background.",
                     command);
  if (slices > 1 && strstr (m->threshold, "volume=no"))
    macro_fail_text (m,
                     "ImageJ's %s applies the threshold of the current slice to all %" G_GINT64_FORMAT
                     ". Use setAutoThreshold() with stack for one threshold of all slices, or run(\"%s\", "
                     "\"method=Otsu background=Dark calculate\") for one per slice.",
                     command, slices, command);
  if (slices > 1 && !said)
    macro_fail_text (m,
                     "ImageJ's %s asks how to process a stack. Add method=Default background=Dark to use the "
                     "current threshold.",
                     command);
  char *step = macro_own (m, g_steal_pointer (&m->threshold), g_free);
  if (!isnan (m->limits[0]) && image_info (images_shown (m, NULL))->type == FV_F32) /* compared with such numbers */
    step = macro_own (m, manual_threshold ((float) m->limits[0], (float) m->limits[1]), g_free);
  return step;
}

int
imagej_mask (lua_State *L, Macro *m, const char *command, const char *arguments)
{
  char **words = macro_words (m, arguments);
  const MaskWords said = read_mask_words (m, command, words);
  (void) L;
  check_image (m, command);
  imagej_add_steps (m, said.each ? threshold_of_words (m, command, &said) : threshold_set (m, command, *words != NULL));
  imagej_range_follow (m);
  return 0;
}

/* ---- Outlines ---- */

/* ImageJ 1.53t draws them around the objects of one slice, and inside those of a stack. Pixels at the edge of the image stay. */
int
imagej_outline (lua_State *L, Macro *m, const char *command, const char *arguments)
{
  static const char around[] = "maximum(maximum(maximum(a[-1,-1],a[0,-1]),maximum(a[1,-1],a[-1,0])),"
                               "maximum(maximum(a[1,0],a[-1,1]),maximum(a[0,1],a[1,1])))";
  static const char inside[] = "minimum(minimum(minimum(a[-1,-1],a[0,-1]),minimum(a[1,-1],a[-1,0])),"
                               "minimum(minimum(a[1,0],a[-1,1]),minimum(a[0,1],a[1,1])))";
  static const fv_imagej rule = {
    .images = FV_IMAGEJ_BINARY, .area = FV_IMAGEJ_AREA_OTHER, .slices = FV_IMAGEJ_SLICES_STACK};
  (void) L;
  if (*arguments && strcmp (arguments, "stack"))
    macro_fail_text (m, "run(\"%s\") accepts only the word stack.", command);
  imagej_check (m, command, &rule, "outline connectivity=8", *arguments != 0);
  const gboolean one = imagej_slices (image_info (images_shown (m, NULL))) == 1;
  g_autofree char *steps =
    g_strdup_printf ("expression expression='where((x == 0) | (y == 0) | (x == width - 1) | (y == height - 1), a, "
                     "where((a %s 0) & (%s %s 0), 255, 0))' output=same | interpret role=mask",
                     one ? "==" : ">", one ? around : inside, one ? ">" : "==");
  char *owned = macro_own (m, g_steal_pointer (&steps), g_free);
  imagej_add_steps (m, owned);
  return 0;
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
    macro_fail_text (m, "setOption() accepts only \"BlackBackground\", which has no effect here, not '%s'.", name);
  m->black_objects = !lua_toboolean (L, 2);
  return 0;
}

const MacroFunction macro_imagej_functions[] = {
  {"setThreshold", "lower, upper[, \"raw\"]",
   "sets the range of values, including both limits, calibrated ones if the image has them and \"raw\" is not said, "
   "that the next run(\"Convert to Mask\") "
   "or run(\"Analyze Particles...\") of the current image selects.",
   set_threshold},
  {"setAutoThreshold", "method",
   "sets the method that finds a threshold: \"Otsu dark\", without \"dark\" for objects "
   "that are darker than the background, with \"stack\" one threshold for all slices. "
   "Methods are Default, Huang, IJ_IsoData, IsoData, Li, MaxEntropy, Mean, Minimum, Otsu, "
   "Triangle and Yen.",
   set_auto_threshold},
  {"resetThreshold", "", "forgets it.", reset_threshold},
  {"setOption", "\"BlackBackground\", on",
   "does not change masks: nonzero pixels are foreground. With it off, ImageJ lines that "
   "change masks accept only those that run(\"Convert to Mask\") has made.",
   set_option},
  {0},
};
