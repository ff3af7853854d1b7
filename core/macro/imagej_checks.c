/* SPDX-License-Identifier: MIT
 *
 * What ImageJ 1.53t does otherwise, as it was found by comparing lines on images of each kind; tests/golden/imagej/lines.py has them.
 */
#include "core/macro/imagej_checks.h"

#include "core/base/text.h"
#include "core/macro/imagej_range.h"
#include "core/macro/images.h"

#include <math.h>
#include <string.h>

/* ---- The image ---- */

gboolean
imagej_is_binary (Macro *m, Image *image)
{
  GError *error = NULL;
  const ImageInfo *info = image_info (image);
  if (info->role != FV_IMAGE || info->type != FV_U8)
    return info->role == FV_MASK;
  if (!m->host->fetch (m->host->self, image, &error))
    macro_fail (m, error);
  for (gint64 plane = 0; plane < image_info_planes (info); plane++) {
    const guint8 *pixels = image_plane (image, plane, &error);
    if (!pixels)
      macro_fail (m, error);
    for (gint64 i = 0; i < info->rows * info->columns; i++)
      if (pixels[i] != 0 && pixels[i] != 255)
        return FALSE;
  }
  return TRUE;
}

const Selection *
imagej_area (Macro *m)
{
  Selection *selection =
    macro_own (m, m->host->selection (m->host->self, macro_current (m)), (GDestroyNotify) selection_free);
  return selection && selection_is_area (selection) ? selection : NULL;
}

/* ---- What differs ---- */

static const char *
kind_words (guint kind)
{
  return kind == FV_IMAGEJ_8_BIT    ? "8-bit images"
         : kind == FV_IMAGEJ_16_BIT ? "16-bit images"
         : kind == FV_IMAGEJ_32_BIT ? "32-bit images"
         : kind == FV_IMAGEJ_RGB    ? "RGB images"
                                    : "images of this type";
}

static void
check_kind (Macro *m, const char *command, const fv_imagej *rule, const char *steps)
{
  Image *image = images_shown (m, NULL);
  const guint kind = imagej_kind (image_info (image));
  if (rule->images & FV_IMAGEJ_BINARY) {
    if (!imagej_is_binary (m, image))
      macro_fail_text (m,
                       "ImageJ's %s needs an 8-bit mask of 0 and 255, as made by setAutoThreshold(\"Default "
                       "dark\") and run(\"Convert to Mask\"). Fovea's '%s' also accepts other images.",
                       command, steps);
    if (m->black_objects && image_info (image)->role != FV_MASK)
      macro_fail_text (m,
                       "After setOption(\"BlackBackground\", false), ImageJ's %s treats black as foreground "
                       "unless run(\"Convert to Mask\") made the image. Fovea treats nonzero pixels as "
                       "foreground. Use true.",
                       command);
  } else if (!(rule->images & kind) && rule->differs)
    macro_fail_text (m, "ImageJ's %s %s. Here '%s' does nearly the same.", command, rule->differs, steps);
  else if (!(rule->images & kind))
    macro_fail_text (m, "ImageJ's %s does something else with %s. Fovea's '%s' is similar.", command, kind_words (kind),
                     steps);
}

static void
check_slices (Macro *m, const char *command, const fv_imagej *rule, gboolean stack)
{
  const gint64 slices = imagej_slices (image_info (images_shown (m, NULL)));
  if (slices > 1 && rule->slices != FV_IMAGEJ_SLICES_ALL && !(rule->slices == FV_IMAGEJ_SLICES_STACK && stack))
    macro_fail_text (
      m, "ImageJ's %s processes only the current slice of %" G_GINT64_FORMAT ". Fovea's steps process all of them%s.",
      command, slices,
      rule->slices == FV_IMAGEJ_SLICES_STACK ? ": add the word stack to confirm that"
                                             : ", such as the operation's label and help");
}

static void
check_area (Macro *m, const char *command, const fv_imagej *rule, const char *steps)
{
  if (rule->area == FV_IMAGEJ_AREA_OTHER && imagej_area (m))
    macro_fail_text (m,
                     "ImageJ's %s is limited to the selection. Fovea's '%s' processes the whole image. Use "
                     "run(\"Select None\") first if you want that.",
                     command, steps);
}

void
imagej_check (Macro *m, const char *command, const fv_imagej *rule, const char *steps, gboolean stack)
{
  imagej_check_opened (m, command);
  check_kind (m, command, rule, steps);
  check_slices (m, command, rule, stack);
  check_area (m, command, rule, steps);
}

/* ---- Words, and values ---- */

static gboolean
is_one_of (const char *command, const char *const *commands)
{
  return g_strv_contains (commands, command);
}

/* How many taps ImageJ's kernel has on a side. */
static double
blur_reach (const char *command, const ImageInfo *info, double sigma)
{
  const double accuracy = !strcmp (command, "Unsharp Mask...") ? 0.01 : info->type == FV_U8 ? 0.002 : 0.0002;
  return ceil (sigma * sqrt (-2 * log (accuracy))) + 1;
}

/* ImageJ shrinks lines before a large blur, beginning at the selection, and near the left edge it blurs what is right of one, too. */
static void
check_blur (Macro *m, const char *command, char *const *words)
{
  static const char *const blurs[] = {"Gaussian Blur...", "Unsharp Mask...", NULL};
  const Selection *area = imagej_area (m);
  double sigma = 0;
  if (!is_one_of (command, blurs) || !area)
    return;
  const ImageInfo *info = image_info (images_shown (m, NULL));
  for (char *const *word = words; *word; word++)
    if (g_str_has_prefix (*word, "sigma=") || g_str_has_prefix (*word, "radius="))
      text_to_number (strchr (*word, '=') + 1, &sigma);
  if (g_strv_contains ((const char *const *) words, "scaled"))
    sigma /= info->spacing[2];
  SelectionPoint low, high;
  selection_bounds (area, &low, &high);
  if (sigma > 8.5)
    macro_fail_text (m,
                     "ImageJ's %s above 8.5 pixels depends on the origin of the selection. Fovea's does not. "
                     "Use run(\"Select None\") first.",
                     command);
  if (high.x < blur_reach (command, info, sigma))
    macro_fail_text (m,
                     "ImageJ's %s changes pixels to the right of a selection near the left edge. Fovea's does "
                     "not. Use run(\"Select None\") first.",
                     command);
}

/* The paraboloid is computed in double. */
static void
check_sliding (Macro *m, const char *command, char *const *words)
{
  if (!strcmp (command, "Subtract Background...") && g_strv_contains ((const char *const *) words, "sliding")
      && image_info (images_shown (m, NULL))->type != FV_F32)
    macro_fail_text (m,
                     "ImageJ's %s with sliding rounds integers differently, so that some pixels differ by 1. "
                     "Use run(\"32-bit\") first, or the step 'rolling_ball method=paraboloid'.",
                     command);
}

/* ImageJ 1.53t leaves the last slice out of the mean of floats. */
static void
check_average (Macro *m, const char *command, char *const *words)
{
  if (g_strv_contains ((const char *const *) words, "projection=Average Intensity")
      && image_info (images_shown (m, NULL))->type == FV_F32)
    macro_fail_text (m,
                     "ImageJ's %s of 32-bit images omits the last slice from the average. Fovea's "
                     "run(\"project\", \"method=mean\") averages all slices.",
                     command);
}

/* Where there are frames and slices ImageJ asks, or takes the current frame. */
static void
check_frames (Macro *m, const char *command)
{
  static const char *const stacks[] = {"Z Project...", "Make Montage...", "Reslice [/]...", "Duplicate...", NULL};
  const ImageInfo *info = image_info (images_shown (m, NULL));
  const gboolean plain =
    info->depth == 1 && info->channels == 1 && strcmp (command, "Reslice [/]...") && strcmp (command, "Duplicate...");
  if (info->frames > 1 && !plain && is_one_of (command, stacks))
    macro_fail_text (m,
                     "ImageJ's %s treats frames as slices, or uses only the current frame. Use steps with "
                     "axis=z or axis=t, slices= and frames=.",
                     command);
}

/* Of NaN and infinite values ImageJ makes something else. */
static void
check_finite (Macro *m, const char *command)
{
  static const char *const others[] = {"Median...", "Mean...", "Minimum...", "Maximum...", "Find Maxima...", NULL};
  Image *image = images_shown (m, NULL);
  double low, high;
  if (image_info (image)->type == FV_F32 && is_one_of (command, others) && !imagej_values (m, image, &low, &high))
    macro_fail_text (m,
                     "ImageJ's %s handles NaN and infinite values differently. In Fovea, NaN spreads. Use the "
                     "operation's key if you want that.",
                     command);
}

/* ImageJ reads beyond the first of one column. */
static void
check_narrow (Macro *m, const char *command)
{
  if (!strcmp (command, "Find Edges") && image_info (images_shown (m, NULL))->columns == 1)
    macro_fail_text (m,
                     "ImageJ's %s of an image with one column is wrong. Fovea's run(\"sobel\") supports such "
                     "images.",
                     command);
}

static void
check_flat (Macro *m, const char *command)
{
  Image *image = images_shown (m, NULL);
  double low, high;
  if (!strcmp (command, "Enhance Contrast...") && (imagej_values (m, image, &low, &high), low == high))
    macro_fail_text (m,
                     "ImageJ's %s does not change an image with a single value. Fovea's run(\"contrast\") "
                     "makes it 0.",
                     command);
}

void
imagej_check_words (Macro *m, const char *command, char *const *words)
{
  imagej_check_stack (m, command, words);
  check_blur (m, command, words);
  check_sliding (m, command, words);
  check_average (m, command, words);
  check_frames (m, command);
  check_finite (m, command);
  check_narrow (m, command);
  check_flat (m, command);
}

void
imagej_check_threshold (Macro *m)
{
  Image *image = images_shown (m, NULL);
  double low, high;
  const gboolean finite = imagej_values (m, image, &low, &high);
  if (!finite)
    macro_fail_text (m, "The image has NaN or infinite values, for which ImageJ finds another threshold. Use "
                        "run(\"threshold\", \"method=otsu\"), which ignores them.");
  if (low == high)
    macro_fail_text (m,
                     "The image has the single value %g, for which ImageJ's methods make different masks. Use "
                     "run(\"threshold\", \"method=otsu\") for an empty mask.",
                     low);
}
