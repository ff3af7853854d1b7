/* SPDX-License-Identifier: MIT
 */
#include "core/call/wants.h"

#include "core/base/text.h"
#include "core/data/pixel_type.h"
#include "core/data/value_calibration.h"

fv_role
wants_role (const fv_input *input)
{
  return input->types & FV_WANTS_LABELS ? FV_LABELS : input->types & FV_WANTS_MASK ? FV_MASK : FV_IMAGE;
}

gboolean
wants_calibrated (const fv_input *input, const ImageInfo *info)
{
  return input->types & FV_WANTS_CALIBRATED && value_is_calibrated (info);
}

const char *
wants_unit (const fv_input *input, const ImageInfo *info)
{
  return input->types & FV_WANTS_CALIBRATED ? value_unit (info) : NULL;
}

fv_type
wants_type (const fv_input *input, const ImageInfo *info)
{
  switch (wants_role (input)) {
  case FV_LABELS: return input->types & info->type && info->role != FV_MASK ? info->type : FV_I32;
  case FV_MASK: return input->types & info->type ? info->type : FV_U8;
  default: return wants_calibrated (input, info) ? FV_F32 : pixel_type_holding (info->type, input->types);
  }
}

gboolean
wants_made (const fv_input *input, const ImageInfo *info)
{
  return wants_type (input, info) != info->type || (wants_role (input) == FV_LABELS && info->role == FV_MASK);
}

/* Only other types may contain values that are not labels; results of steps and files that are declared as labels
 * are labels. */
gboolean
wants_checked (const fv_input *input, const ImageInfo *info)
{
  return wants_role (input) == FV_LABELS && !(info->type & (FV_U8 | FV_U16))
         && !(info->type == FV_I32 && info->role == FV_LABELS);
}

ImageTaken
wants_taken (const fv_input *input, const ImageInfo *info)
{
  switch (wants_role (input)) {
  case FV_LABELS: return IMAGE_AS_LABELS;
  case FV_MASK: return IMAGE_AS_MASK;
  default: return wants_calibrated (input, info) ? IMAGE_CALIBRATED : IMAGE_WIDENED;
  }
}

void
wants_grid (const fv_input *input, const ImageInfo *info, fv_grid *grid)
{
  const char *unit = wants_unit (input, info);
  if (unit)
    text_copy (grid->value_unit, unit, sizeof grid->value_unit);
  if (!wants_made (input, info))
    return;
  grid->dense = wants_role (input) == FV_LABELS && grid->role == FV_MASK;
  grid->type = wants_type (input, info);
  grid->role = wants_role (input);
}

gsize
wants_bytes (const fv_input *input, Image *image)
{
  const ImageInfo *info = image_info (image);
  g_autoptr (Image) taken = NULL;
  if (!wants_made (input, info) || (taken = image_taken (image, wants_taken (input, info))))
    return 0;
  return (gsize) (image_info_planes (info) * info->rows * info->columns) * pixel_type_bytes (wants_type (input, info));
}
