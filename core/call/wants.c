/* SPDX-License-Identifier: MIT
 */
#include "core/call/wants.h"

#include "core/data/pixel_type.h"

fv_role
wants_role (const fv_input *input)
{
  return input->types & FV_WANTS_LABELS ? FV_LABELS : input->types & FV_WANTS_MASK ? FV_MASK : FV_IMAGE;
}

fv_type
wants_type (const fv_input *input, fv_type type, fv_role role)
{
  switch (wants_role (input)) {
  case FV_LABELS: return input->types & type && role != FV_MASK ? type : FV_I32;
  case FV_MASK: return input->types & type ? type : FV_U8;
  default: return pixel_type_holding (type, input->types);
  }
}

gboolean
wants_made (const fv_input *input, fv_type type, fv_role role)
{
  return wants_type (input, type, role) != type || (wants_role (input) == FV_LABELS && role == FV_MASK);
}

/* Only other types may contain values that are not labels; results of steps and files that are declared as labels
 * are labels. */
gboolean
wants_checked (const fv_input *input, fv_type type, fv_role role)
{
  return wants_role (input) == FV_LABELS && !(type & (FV_U8 | FV_U16)) && !(type == FV_I32 && role == FV_LABELS);
}

void
wants_grid (const fv_input *input, fv_grid *grid)
{
  if (!wants_made (input, grid->type, grid->role))
    return;
  grid->dense = wants_role (input) == FV_LABELS && grid->role == FV_MASK;
  grid->type = wants_type (input, grid->type, grid->role);
  grid->role = wants_role (input);
}

gsize
wants_bytes (const fv_input *input, Image *image)
{
  const ImageInfo *info = image_info (image);
  g_autoptr (Image) taken = NULL;
  if (!wants_made (input, info->type, info->role) || (taken = image_taken (image, wants_role (input))))
    return 0;
  return (gsize) (image_info_planes (info) * info->rows * info->columns)
         * pixel_type_bytes (wants_type (input, info->type, info->role));
}
