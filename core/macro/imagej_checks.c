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
  return kind == IMAGEJ_8_BIT    ? "8-bit images"
         : kind == IMAGEJ_16_BIT ? "16-bit images"
         : kind == IMAGEJ_32_BIT ? "32-bit images"
         : kind == IMAGEJ_RGB    ? "RGB images"
                                 : "images of this type";
}

static void
check_kind (Macro *m, const char *command, const ImagejRule *rule, const char *steps)
{
  Image *image = images_shown (m, NULL);
  const guint kind = imagej_kind (image_info (image));
  if (rule->images & IMAGEJ_BINARY) {
    if (!imagej_is_binary (m, image))
      macro_fail_text (m,
                       "ImageJ's %s is for masks of 8 bits, 0 and 255, which setAutoThreshold(\"Default dark\") and "
                       "run(\"Convert to Mask\") make. Here '%s' takes other images, too.",
                       command, steps);
    if (m->black_objects && image_info (image)->role != FV_MASK)
      macro_fail_text (m,
                       "After setOption(\"BlackBackground\", false) ImageJ's %s takes black for objects, unless "
                       "run(\"Convert to Mask\") made the image. Here what is not 0 is inside: say true.",
                       command);
  } else if (!(rule->images & kind) && rule->differs)
    macro_fail_text (m, "ImageJ's %s %s. Here '%s' does nearly the same.", command, rule->differs, steps);
  else if (!(rule->images & kind))
    macro_fail_text (m, "ImageJ's %s does something else with %s. Here '%s' does nearly the same.", command,
                     kind_words (kind), steps);
}

static void
check_slices (Macro *m, const char *command, const ImagejRule *rule, gboolean stack)
{
  const gint64 slices = imagej_slices (image_info (images_shown (m, NULL)));
  if (slices > 1 && rule->slices != IMAGEJ_SLICES_ALL && !(rule->slices == IMAGEJ_SLICES_STACK && stack))
    macro_fail_text (
      m, "ImageJ's %s takes the current slice alone, of %" G_GINT64_FORMAT ". Here steps take all of them%s.", command,
      slices,
      rule->slices == IMAGEJ_SLICES_STACK ? ": add the word stack to mean that"
                                          : ", as with the label and words of the operation");
}

static void
check_area (Macro *m, const char *command, const ImagejRule *rule, const char *steps)
{
  if (rule->area == IMAGEJ_AREA_OTHER && imagej_area (m))
    macro_fail_text (m,
                     "ImageJ's %s heeds the selection. Here '%s' takes the whole image: run(\"Select None\") before it "
                     "to mean that.",
                     command, steps);
}

void
imagej_check (Macro *m, const char *command, const ImagejRule *rule, const char *steps, gboolean stack)
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
                     "ImageJ's %s above 8.5 pixels depends on where the selection begins. Here it does not: "
                     "run(\"Select None\") before it.",
                     command);
  if (high.x < blur_reach (command, info, sigma))
    macro_fail_text (m,
                     "ImageJ's %s changes pixels right of a selection that lies so near to the left edge. Here it does "
                     "not: run(\"Select None\") before it.",
                     command);
}

/* The paraboloid is computed in double. */
static void
check_sliding (Macro *m, const char *command, char *const *words)
{
  if (!strcmp (command, "Subtract Background...") && g_strv_contains ((const char *const *) words, "sliding")
      && image_info (images_shown (m, NULL))->type != FV_F32)
    macro_fail_text (m,
                     "ImageJ's %s with sliding rounds whole numbers another way, so that some pixels differ by 1. "
                     "run(\"32-bit\") before it, or the step 'rolling_ball method=paraboloid', does without.",
                     command);
}

/* ImageJ 1.53t leaves the last slice out of the mean of floats. */
static void
check_average (Macro *m, const char *command, char *const *words)
{
  if (g_strv_contains ((const char *const *) words, "projection=Average Intensity")
      && image_info (images_shown (m, NULL))->type == FV_F32)
    macro_fail_text (m,
                     "ImageJ's %s of 32 bits leaves the last slice out of the average. Here run(\"project\", "
                     "\"method=mean\") is of all.",
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
    macro_fail_text (
      m,
      "ImageJ's %s takes frames for slices, or the current frame alone. Here steps say axis=z or axis=t, "
      "slices= and frames=.",
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
    macro_fail_text (
      m,
      "ImageJ's %s handles NaN and infinite values another way. Here NaN spreads: say the operation by its key "
      "to mean that.",
      command);
}

/* ImageJ reads beyond the first of one column. */
static void
check_narrow (Macro *m, const char *command)
{
  if (!strcmp (command, "Find Edges") && image_info (images_shown (m, NULL))->columns == 1)
    macro_fail_text (m, "ImageJ's %s of one column is wrong. Here run(\"sobel\") is of such images, too.", command);
}

static void
check_flat (Macro *m, const char *command)
{
  Image *image = images_shown (m, NULL);
  double low, high;
  if (!strcmp (command, "Enhance Contrast...") && (imagej_values (m, image, &low, &high), low == high))
    macro_fail_text (m, "ImageJ's %s leaves an image of one value as it is. Here run(\"contrast\") makes it 0.",
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
    macro_fail_text (m, "The image has values that are NaN or infinite, of which ImageJ finds another threshold. Here "
                        "run(\"threshold\", \"method=otsu\") leaves them out.");
  if (low == high)
    macro_fail_text (m,
                     "The image has one value, %g, of which ImageJ's methods make different masks. Here "
                     "run(\"threshold\", \"method=otsu\") makes an empty one.",
                     low);
}
