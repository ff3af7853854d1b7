/* SPDX-License-Identifier: MIT
 *
 * What an image is.
 */
#include "library/private.h"

#include "core/data/pixel_type.h"
#include "core/data/value_calibration.h"

fovea_image *
library_image_new (fovea_context *context, Image *image)
{
  fovea_image *wrapped;
  if (!image)
    return NULL;
  wrapped = g_new (fovea_image, 1);
  *wrapped = (fovea_image){library_context_ref (context), image, NULL};
  return wrapped;
}

void
fovea_image_free (fovea_image *image)
{
  if (!image)
    return;
  image_unref (image->image);
  fovea_context_free (image->context);
  g_free (image->text);
  g_free (image);
}

void *
library_image_pixels (const fovea_image *image, GError **error)
{
  Device *device = image_device (image->image);
  void *pixels;
  library_device_enter (device);
  pixels = image_on_host (image->image, progress_current (), error);
  library_device_leave (device);
  return pixels;
}

const fovea_device *
fovea_image_get_device (const fovea_image *image)
{
  Device *maker = image ? image_device (image->image) : NULL;
  return maker && image_is_on (image->image, maker) ? library_device (image->context, maker) : NULL;
}

fovea_code
library_give_info (const ImageInfo *from, fovea_image_info *info, fovea_error **error)
{
  G_STATIC_ASSERT ((int) FOVEA_RGB == (int) FV_RGB);
  const fovea_image_info all = {
    .role = (fovea_role) from->role,
    .type = pixel_type (from->type)->dl,
    .shape = {from->frames, from->channels, from->depth, from->rows, from->columns},
    .spacing = {from->spacing[0], from->spacing[1], from->spacing[2]},
    .unit = {from->units[0], from->units[1], from->units[2]},
    .interval = from->frame_interval,
    .interval_unit = from->frame_unit,
    .name = from->name,
    .channel_names = (const char *const *) from->channel_names,
    .channel_colors = from->channel_colors,
    .display_ranges = from->display_ranges,
    .stored_as = from->source_type,
    .description = from->description,
    .origin = {from->origin[0], from->origin[1], from->origin[2]},
    .values = value_is_calibrated (from) ? from->notes->values : NULL,
    .made_by = from->notes ? from->notes->made_by : NULL,
  };
  return library_give (&all, sizeof all, info, "info", error) ? FOVEA_OK : FOVEA_BAD_ARGUMENT;
}

fovea_code
fovea_image_get_info (const fovea_image *image, fovea_image_info *info, fovea_error **error)
{
  if (!library_has (image, "image", error))
    return FOVEA_BAD_ARGUMENT;
  return library_give_info (image_info (image->image), info, error);
}

const char *
fovea_image_text (const fovea_image *constant)
{
  fovea_image *image = (fovea_image *) constant; /* it shows no change */
  if (!image)
    return NULL;
  if (g_once_init_enter (&image->text))
    g_once_init_leave (&image->text, image_info_text (image_info (image->image)));
  return image->text;
}
