/* SPDX-License-Identifier: MIT
 *
 * Wider types take the values as they are, as 16-bit takes labels; others are filled from the range that is shown, as ImageJ does it.
 */
#include "core/macro/imagej_types.h"

#include "core/base/text.h"
#include "core/data/pixel_type.h"
#include "core/macro/images.h"
#include "core/macro/imagej_checks.h"
#include "core/macro/imagej_lines.h"
#include "core/macro/imagej_range.h"

#include <math.h>
#include <string.h>

/* ---- Types ---- */

static void
check_channels (Macro *m, const char *command, const ImageInfo *info)
{
  if (info->channels > 1)
    macro_fail_text (m,
                     "ImageJ's %s scales each channel from its own range. Use 'convert' with limits=[LOW "
                     "HIGH; …], or select one channel with run(\"channel\", \"index=0\").",
                     command);
}

/* To 8 and 16 bits, from the range that is shown. */
static void
fill_type (Macro *m, const char *command, const char *type, const ImageInfo *info)
{
  double low, high;
  check_channels (m, command, info);
  imagej_range_shown (m, &low, &high);
  if (info->type == FV_U16) {
    low = trunc (low);
    high = trunc (high);
  }
  char *from = macro_own (m, text_from_number (low), g_free), *to = macro_own (m, text_from_number (high), g_free);
  imagej_add_steps (
    m, macro_own (m, g_strdup_printf ("convert type=%s scale=imagej low=%s high=%s", type, from, to), g_free));
}

/* The mean of red, green and blue. */
static int
convert_colors (Macro *m, const char *type)
{
  if (!strcmp (type, "u16") && imagej_slices (image_info (images_shown (m, NULL))) > 1)
    macro_fail_text (m, "ImageJ does not convert RGB stacks to 16-bit. Use run(\"8-bit\") first to average the "
                        "colors.");
  imagej_add_steps (m, !strcmp (type, "u8")    ? "rgb weights=equal"
                       : !strcmp (type, "u16") ? "rgb weights=equal | convert type=u16"
                                               : "convert type=f32 | rgb weights=equal");
  imagej_range_follow (m);
  return 0;
}

int
imagej_type (lua_State *L, Macro *m, const char *command, const char *arguments)
{
  static const struct {
    const char *command, *type;
    guint bytes;
  } types[] = {{"8-bit", "u8", 1}, {"16-bit", "u16", 2}, {"32-bit", "f32", 4}};
  const ImageInfo *info = image_info (images_shown (m, NULL));
  guint i = 0;
  (void) L;
  if (*arguments)
    macro_fail_text (m, "run(\"%s\") accepts nothing else.", command);
  imagej_check_opened (m, command);
  while (strcmp (types[i].command, command))
    i++;
  if (!strcmp (command, "32-bit"))
    imagej_check_calibrated (m, info, command, "run(\"convert\", \"type=f32\")");
  if (info->role == FV_RGB)
    return convert_colors (m, types[i].type);
  const gsize bytes = pixel_type_bytes (info->type);
  if (bytes == types[i].bytes && info->type != FV_I32 && info->type != FV_U32)
    return 0;
  if (bytes > types[i].bytes && types[i].bytes < 4 && (types[i].bytes == 1 || info->role != FV_LABELS))
    fill_type (m, command, types[i].type, info);
  else {
    const gboolean keeps = types[i].bytes == 4; /* 32-bit shows what was shown */
    double low = 0, high = 0;
    if (keeps && info->channels == 1)
      imagej_range_shown (m, &low, &high);
    imagej_add_steps (m, macro_own (m, g_strdup_printf ("convert type=%s", types[i].type), g_free));
    if (keeps) {
      imagej_range_set (m, low, high);
      return 0;
    }
  }
  imagej_range_follow (m);
  return 0;
}

/* ---- Invert ---- */

static char *
inverted (Macro *m, const ImageInfo *info)
{
  double low, high;
  if (info->type != FV_F32)
    return g_strdup_printf ("expression expression='%d - a' output=same", info->type == FV_U8 ? 255 : 65535);
  imagej_range_shown (m, &low, &high);
  g_autofree char *from = text_from_number (low), *to = text_from_number (high);
  return g_strdup_printf ("expression expression='q - (a - p)' p=%s q=%s output=same", from, to);
}

int
imagej_invert (lua_State *L, Macro *m, const char *command, const char *arguments)
{
  const fv_imagej rule = {.images = FV_IMAGEJ_ANY, .area = FV_IMAGEJ_AREA_CHANGED, .slices = FV_IMAGEJ_SLICES_STACK};
  (void) L;
  if (*arguments && strcmp (arguments, "stack"))
    macro_fail_text (m, "run(\"%s\") accepts only the word stack.", command);
  imagej_check (m, command, &rule, "expression expression='255 - a'", *arguments != 0);
  const ImageInfo *info = image_info (images_shown (m, NULL));
  const char *steps = macro_own (m, inverted (m, info), g_free);
  if (info->type == FV_U16) { /* the whole image, regardless of the selection */
    imagej_add_steps (m, steps);
    imagej_range_follow (m);
  } else
    imagej_add_steps_inside (m, steps);
  return 0;
}
