/* SPDX-License-Identifier: MIT
 *
 * As it was found by comparing lines of ImageJ 1.53t on images of each kind; tests/golden/imagej/lines.py has them.
 */
#include "core/macro/imagej_images.h"

#include "core/data/pixel_type.h"
#include "core/data/value_calibration.h"
#include "core/macro/images.h"
#include "core/recipe/imagej.h"

#include <string.h>

/* ---- Kinds ---- */

gint64
imagej_slices (const ImageInfo *info)
{
  return image_info_planes (info) / (info->role == FV_RGB ? info->channels : 1);
}

guint
imagej_kind (const ImageInfo *info)
{
  if (info->role == FV_RGB)
    return info->type == FV_U8 ? FV_IMAGEJ_RGB : 0;
  return info->type == FV_U8    ? FV_IMAGEJ_8_BIT
         : info->type == FV_U16 ? FV_IMAGEJ_16_BIT
         : info->type == FV_F32 ? FV_IMAGEJ_32_BIT
                                : 0;
}

/* ---- Other kinds ---- */

static gboolean
has_alpha (const ImageInfo *info)
{
  for (char **name = info->channel_names; name && *name; name++)
    if (!strcmp (*name, "alpha"))
      return TRUE;
  return FALSE;
}

/* ImageJ keeps the number of the color, whose colors 8-bit averages. */
static void
check_color_map (Macro *m, const char *command)
{
  const ImageInfo *opened = image_info (images_shown (m, RECIPE_SOURCE));
  if (g_strcmp0 (opened->source_type, IMAGE_INFO_INDEXED))
    return;
  if (opened->role == FV_RGB)
    macro_fail_text (
      m,
      "The file has a color map, and ImageJ's %s takes the numbers of the colors. Here it would take red, "
      "green and blue: save the image as RGB, or say the operation by its key.",
      command);
  if (!strcmp (command, "8-bit"))
    macro_fail_text (m,
                     "The file has a color map, and ImageJ's 8-bit makes the means of its colors. Here the image has "
                     "8 bits already, and its values stay.");
}

/* What is brighter in an image that is shown inverted has smaller values. */
static void
check_inverted (Macro *m, const char *command)
{
  static const char *const bright[] = {
    "Subtract Background...", "Find Maxima...", "Erode",       "Dilate",    "Open", "Close-", "Outline",
    "Analyze Particles...",   "Fill Holes",     "Skeletonize", "Watershed", NULL};
  if (image_info (images_shown (m, NULL))->inverted && g_strv_contains (bright, command))
    macro_fail_text (m,
                     "ImageJ's %s swaps dark and bright in an image with an inverted look-up table, which is "
                     "not supported here.",
                     command);
}

void
imagej_check_opened (Macro *m, const char *command)
{
  if (has_alpha (image_info (images_shown (m, NULL))))
    macro_fail_text (m,
                     "ImageJ opens an image with an alpha channel as RGB, without alpha. Here %s would take alpha as a "
                     "channel: save the image without it, or say the operation by its key.",
                     command);
  check_color_map (m, command);
  check_inverted (m, command);
}

/* ---- Stacks and channels ---- */

static gboolean
has_channels (const ImageInfo *info)
{
  return info->channels > 1 && info->role != FV_RGB;
}

void
imagej_check_channels (Macro *m, const char *command)
{
  if (has_channels (image_info (images_shown (m, NULL))))
    macro_fail_text (m,
                     "ImageJ's %s takes all channels together. Here steps take each channel on its own: "
                     "run(\"channel\", \"index=0\") takes one of them.",
                     command);
}

/* Which slices are meant has other words with channels than without. */
static void
check_duplicated (Macro *m, const char *command, char *const *words)
{
  const gboolean channels = has_channels (image_info (images_shown (m, NULL)));
  for (; *words; words++)
    if (g_str_has_prefix (*words, "range=") ? channels
                                            : !channels && !g_str_has_prefix (*words, "title=") && strchr (*words, '='))
      macro_fail_text (m, "ImageJ's %s takes all slices with '%s' of an image %s channels, where %s is meant.", command,
                       *words, channels ? "with" : "without", channels ? "slices=" : "range=");
}

void
imagej_check_stack (Macro *m, const char *command, char *const *words)
{
  static const char *const stacks[] = {"Z Project...", "Make Montage...", "Stack to Hyperstack...", "Bleach Correction",
                                       NULL};
  static const char *const sliced[] = {"Z Project...", "Make Montage...", "Reslice [/]...", NULL};
  static const char *const together[] = {"Enhance Contrast...", "Bleach Correction", NULL};
  const ImageInfo *info = image_info (images_shown (m, NULL));
  if (g_strv_contains (stacks, command) && imagej_slices (info) == 1)
    macro_fail_text (m, "ImageJ's %s needs a stack, and the image has one slice.", command);
  if (g_strv_contains (sliced, command) && has_channels (info) && info->depth == 1 && info->frames == 1)
    macro_fail_text (m,
                     "ImageJ's %s takes the channels of an image without slices for slices. Here steps take each "
                     "channel on its own: say the operation by its key to mean that.",
                     command);
  if (g_strv_contains (together, command))
    imagej_check_channels (m, command);
  if (!strcmp (command, "Duplicate..."))
    check_duplicated (m, command, words);
}

void
imagej_check_calibrated (Macro *m, const ImageInfo *info, const char *command, const char *ours)
{
  if (value_is_calibrated (info))
    macro_fail_text (
      m,
      "ImageJ's %s of an image with calibrated values makes these the pixels. Fovea's %s takes the stored "
      "values.",
      command, ours);
}

/* ---- Several images ---- */

/* Of one of several images, which is the current one then; 0: one that ImageJ does not have. */
static guint
kind_of (Macro *m, guint image, const char *command, const ImageInfo **info)
{
  m->host->select (m->host->self, image);
  imagej_check_opened (m, command);
  *info = image_info (images_shown (m, NULL));
  return imagej_kind (*info);
}

void
imagej_check_calculator (Macro *m, const guint images[2], gboolean wide, gboolean stack)
{
  static const char command[] = "imageCalculator()";
  const ImageInfo *first, *second;
  const guint other = kind_of (m, images[1], command, &second), kind = kind_of (m, images[0], command, &first);
  if (!wide && (!kind || !other))
    macro_fail_text (m, "ImageJ has no images of this type. Here run(\"calculate\", …) takes them.");
  if (wide ? (kind | other) & FV_IMAGEJ_RGB : other == FV_IMAGEJ_RGB && kind != other)
    macro_fail_text (m, "ImageJ's %s makes something else of %s. Here run(\"calculate\", …) takes each channel.",
                     command, wide ? "RGB images with 32-bit" : "an RGB image behind another one");
  if (!wide && pixel_type_bytes (second->type) > pixel_type_bytes (first->type))
    macro_fail_text (m,
                     "ImageJ's %s makes the second image as narrow as the first before it calculates. Here it is taken "
                     "as it is: 32-bit, or run(\"calculate\", …), means that.",
                     command);
  for (guint i = 0; wide && i < 2; i++)
    imagej_check_calibrated (m, i ? second : first, "imageCalculator() with 32-bit", "run(\"calculate\", …)");
  if (!stack && imagej_slices (first) > 1)
    macro_fail_text (
      m, "ImageJ's %s processes only the current slice. Fovea's steps process all of them: add the word stack.",
      command);
}

void
imagej_check_merged (Macro *m, const guint *images, guint n)
{
  static const char command[] = "Merge Channels...";
  for (guint i = n; i-- > 0;) {
    const ImageInfo *info;
    const guint kind = kind_of (m, images[i], command, &info);
    if (!(kind & FV_IMAGEJ_GRAY) || info->channels > 1)
      macro_fail_text (m,
                       "ImageJ's %s makes something else of RGB images and of several channels. Here "
                       "run(\"merge_channels\", …) takes them all.",
                       command);
  }
}
