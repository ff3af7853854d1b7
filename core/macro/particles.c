/* SPDX-License-Identifier: MIT
 *
 * Sizes are numbers of pixels before they are compared, as in ImageJ, so that none is lost to rounding.
 */
#include "core/macro/particles.h"

#include "core/base/text.h"
#include "core/data/plane.h"
#include "core/macro/images.h"
#include "core/macro/imagej_checks.h"
#include "core/macro/imagej_lines.h"
#include "core/macro/imagej_range.h"
#include "core/macro/roi_manager.h"
#include "core/measure/object_outlines.h"

#include <math.h>
#include <string.h>

/* ---- What is measured ---- */

static const struct {
  const char *word, *properties;
  gboolean measured; /* by "Measure", too */
} measurements[] = {
  {"area", "area", TRUE},
  {"mean", "intensity_mean", TRUE},
  {"standard", "intensity_std_imagej", TRUE},
  {"modal", "intensity_mode", FALSE},
  {"min", "intensity_min,intensity_max", TRUE},
  {"centroid", "centroid", FALSE},
  {"center", "centroid_weighted", FALSE},
  {"perimeter", "perimeter_imagej", FALSE},
  {"bounding", "bbox", TRUE},
  {"fit", "major_axis_imagej,minor_axis_imagej,angle_imagej", FALSE},
  {"shape", "circularity,aspect_ratio,roundness,solidity_imagej", FALSE},
  {"feret's", "feret_imagej,feret_angle,feret_min", FALSE},
  {"integrated", "integrated_density,raw_integrated_density", FALSE},
  {"median", "intensity_median_imagej", FALSE},
  {"skewness", "intensity_skewness", FALSE},
  {"kurtosis", "intensity_kurtosis", FALSE},
  /* where rows are from, and how they are written */
  {"", "", TRUE},
  {"stack", "", TRUE},
  {"display", "", TRUE},
  {"scientific", "", TRUE},
  {"add", "", TRUE},
  {"nan", "", TRUE},
  {"limit", "", TRUE},
  {"redirect=None", "", TRUE},
};

/* ",area"; NULL: no such word. *unmeasured: the word, where "Measure" does not have that. */
static const char *
properties_of (const char *word, const char **unmeasured)
{
  for (guint i = 0; i < G_N_ELEMENTS (measurements); i++)
    if (!strcmp (word, measurements[i].word)) {
      *unmeasured = measurements[i].measured ? *unmeasured : measurements[i].word;
      return measurements[i].properties;
    }
  return g_str_has_prefix (word, "decimal=") ? "" : NULL;
}

/* "feret's" has no quotation mark. */
int
particles_set_measurements (lua_State *L, Macro *m, const char *command, const char *arguments)
{
  GString *properties = g_string_new ("label");
  char **words = macro_own (m, g_strsplit (arguments, " ", -1), (GDestroyNotify) g_strfreev);
  (void) L;
  m->unmeasured = NULL;
  m->limited = g_strv_contains ((const char *const *) words, "limit");
  for (char **word = words; *word; word++) {
    const char *more = properties_of (*word, &m->unmeasured);
    if (!more) {
      g_string_free (properties, TRUE);
      macro_fail_text (m,
                       "run(\"%s\", …): '%s' is not supported here; the supported measurements are those of "
                       "run(\"Measure Objects...\").",
                       command, *word);
    }
    g_string_append_printf (properties, "%s%s", *more ? "," : "", more);
  }
  g_free (m->properties);
  m->properties = g_string_free (properties, FALSE);
  return 0;
}

/* ---- The words ---- */

typedef struct {
  double size[2], circularity[2];
  const char *show;
  gboolean pixel, display, exclude, include, summarize, add, stack;
} Words;

/* "50-Infinity", or the first alone. */
static void
read_range (Macro *m, const char *command, const char *word, double *range)
{
  const char *text = strchr (word, '=') + 1, *dash = strchr (text, '-');
  char *first = macro_own (m, dash ? g_strndup (text, (gsize) (dash - text)) : g_strdup (text), g_free);
  if (!text_to_number (first, &range[0])
      || (dash && strcmp (dash + 1, "Infinity") && !text_to_number (dash + 1, &range[1])))
    macro_fail_text (m, "run(\"%s\", …): '%s' is not a range such as 50-Infinity.", command, word);
}

static const char *
read_shown (Macro *m, const char *command, const char *text)
{
  static const char *const known[] = {"Nothing", "Overlay", "Overlay Masks", "Masks", "Count Masks", NULL};
  if (g_str_has_suffix (text, "Outlines"))
    macro_fail_text (m,
                     "ImageJ's %s with show=[%s] draws outlines. Use show=Masks, then run(\"outline\") to get "
                     "a mask of them.",
                     command, text);
  if (!g_strv_contains (known, text))
    macro_fail_text (m,
                     "run(\"%s\", …): show=[%s] is not supported here; use Nothing, Overlay, Overlay Masks, "
                     "Masks or Count Masks.",
                     command, text);
  return text;
}

/* Where the word says yes; NULL: it is unknown, or says nothing here. */
static gboolean *
switch_of (Words *w, const char *word)
{
  const struct {
    const char *word;
    gboolean *on;
  } switches[] = {{"pixel", &w->pixel},     {"display", &w->display},     {"exclude", &w->exclude},
                  {"include", &w->include}, {"summarize", &w->summarize}, {"add", &w->add},
                  {"stack", &w->stack}};
  for (guint i = 0; i < G_N_ELEMENTS (switches); i++)
    if (!strcmp (word, switches[i].word))
      return switches[i].on;
  return NULL;
}

/* Each line makes tables of its own, and objects can be shown over every image. */
static gboolean
says_nothing (const char *word)
{
  static const char *const words[] = {"clear", "overlay", "in_situ", NULL};
  return g_strv_contains (words, word);
}

static Words
read_words (Macro *m, const char *command, const char *arguments)
{
  Words w = {.size = {0, INFINITY}, .circularity = {0, 1}, .show = "Nothing"};
  for (char **word = macro_words (m, arguments); *word; word++) {
    gboolean *on = switch_of (&w, *word);
    if (on)
      *on = TRUE;
    else if (g_str_has_prefix (*word, "size="))
      read_range (m, command, *word, w.size);
    else if (g_str_has_prefix (*word, "circularity="))
      read_range (m, command, *word, w.circularity);
    else if (g_str_has_prefix (*word, "show="))
      w.show = read_shown (m, command, *word + strlen ("show="));
    else if (!says_nothing (*word))
      macro_fail_text (m,
                       "run(\"%s\", …) accepts size=, circularity=, show=, pixel, display, exclude, clear, "
                       "include, summarize, overlay, add and stack, not '%s'.",
                       command, *word);
  }
  return w;
}

/* ---- The image ---- */

/* The threshold that was set for the current image, as a step with a bar behind it; "": it is a mask. */
static char *
threshold_of (Macro *m, const char *command, Image *image)
{
  if (m->threshold && m->thresholded == macro_current (m))
    return macro_own (m, g_strconcat (m->threshold, " | ", NULL), g_free);
  if (!imagej_is_binary (m, image))
    macro_fail_text (m,
                     "run(\"%s\") needs a mask or a threshold: setThreshold(lower, upper) or "
                     "setAutoThreshold(\"Default dark\").",
                     command);
  return macro_own (m, g_strdup (""), g_free);
}

/* ---- The steps ---- */

/* The names that the steps give. */
typedef struct {
  const char *image, *labels, *all, *summary;
} Names;

static void
add_label (GString *s, const Words *w, const ImageInfo *info)
{
  const PlaneScale scale = plane_scale (info);
  const double unit = w->pixel ? 1 : scale.width * scale.height;
  const double min = ceil (w->size[0] / unit), max = floor (w->size[1] / unit);
  g_string_append_printf (s, "%slabel", w->include ? "fill_holes | " : "");
  if (w->exclude)
    g_string_append (s, " exclude_border=yes");
  if (min > 1 || max < 1) /* at most 0 pixels: nothing qualifies; max_size=0 would mean no limit */
    g_string_append_printf (s, " min_size=%d", max < 1 ? G_MAXINT32 : (int) MIN (min, G_MAXINT32));
  if (max >= 1 && max < G_MAXINT32)
    g_string_append_printf (s, " max_size=%d", (int) max);
}

/* ImageJ measures the circularity in pixels, also where these are not square. */
static void
add_circularity (GString *s, const Words *w, const ImageInfo *info, const char *labels)
{
  const PlaneScale scale = plane_scale (info);
  const gboolean square = scale.width == scale.height;
  if (!square)
    g_string_append_printf (s, " as=%s | calibrate unit=pixel", labels);
  g_string_append (s, " | regionprops properties=label,circularity | filter_objects column=circularity min=");
  text_add_number (s, w->circularity[0]);
  g_string_append (s, " max=");
  text_add_number (s, w->circularity[1]);
  g_string_append_printf (s, "%s%s | relabel", square ? "" : " from=", square ? "" : labels);
}

/* Whether what is shown is the image as it was. */
static gboolean
keeps_image (const char *show)
{
  return !strcmp (show, "Nothing") || g_str_has_prefix (show, "Overlay");
}

static void
add_shown (GString *s, const char *show, const char *image)
{
  if (keeps_image (show))
    g_string_append_printf (s, " | substack from=%s", image);
  else if (!strcmp (show, "Masks"))
    g_string_append (s, " | interpret role=mask");
  else
    g_string_append (s, " | convert type=u16");
}

static char *
steps_of (Macro *m, const Words *w, const ImageInfo *info, const char *threshold, const Names *names)
{
  g_autofree char *image = text_quote (names->image);
  GString *s = g_string_new (threshold);
  add_label (s, w, info);
  if (w->circularity[0] > 0 || w->circularity[1] != 1)
    add_circularity (s, w, info, names->all);
  g_string_append_printf (s, " as=%s", names->labels);
  if (w->summarize)
    g_string_append_printf (s, " | area_fraction as=%s", names->summary);
  if (w->display)
    g_string_append_printf (s, " | regionprops intensity=%s properties=%s", image,
                            m->properties ? m->properties : "label,area,intensity_mean,intensity_min,intensity_max");
  add_shown (s, w->show, image);
  return macro_own (m, g_string_free (s, FALSE), g_free);
}

int
particles_analyze (lua_State *L, Macro *m, const char *command, const char *arguments)
{
  const Words words = read_words (m, command, arguments);
  static const fv_imagej rule = {
    .images = FV_IMAGEJ_ANY, .area = FV_IMAGEJ_AREA_OTHER, .slices = FV_IMAGEJ_SLICES_STACK};
  imagej_check (m, command, &rule, "label", words.stack);
  Image *image = images_shown (m, NULL);
  if (!strcmp (words.show, "Count Masks") && imagej_slices (image_info (image)) > 1)
    macro_fail_text (m,
                     "ImageJ's %s with show=[Count Masks] continues the numbers of a stack's objects from "
                     "slice to slice. Fovea starts each slice at 1. Use the step 'label', or show=Masks, "
                     "which is the same in both.",
                     command);
  if (!strcmp (words.show, "Masks") && image_info (image)->channels > 1
      && imagej_slices (image_info (image)) > image_info (image)->channels)
    macro_fail_text (m,
                     "ImageJ's %s makes slices of channels in show=Masks. Here they stay channels: run(\"channel\", "
                     "\"index=0\") takes one of them.",
                     command);
  const char *threshold = threshold_of (m, command, image);
  Names names;
  (void) L;
  Recipe *before = imagej_name_last (m, "analyzed", &names.image);
  names.all = macro_own (m, recipe_free_name (before, "all"), g_free);
  names.labels = macro_own (m, recipe_free_name (before, "particles"), g_free);
  names.summary = macro_own (m, recipe_free_name (before, "summary"), g_free);
  const char *steps = steps_of (m, &words, image_info (image), threshold, &names);
  imagej_add_steps_to (m, before, steps);
  if (!keeps_image (words.show))
    imagej_range_follow (m);
  if (!keeps_image (words.show))
    g_clear_pointer (&m->threshold, g_free); /* it was that of another image */
  if (words.add)
    roi_manager_add_objects (m, images_shown (m, names.labels));
  return 0;
}
