/* SPDX-License-Identifier: MIT
 *
 * Images of files, and what they are.
 */
#include "library/private.h"

#include "core/files/files.h"
#include "library/pixel_type.h"

fovea_image *
library_image_new (fovea_context *context, Image *image)
{
  fovea_image *wrapped;
  if (!image)
    return NULL;
  wrapped = g_new (fovea_image, 1);
  *wrapped = (fovea_image){library_context_ref (context), image};
  return wrapped;
}

void
fovea_image_free (fovea_image *image)
{
  if (!image)
    return;
  image_unref (image->image);
  fovea_context_free (image->context);
  g_free (image);
}

void *
library_image_pixels (const fovea_image *image, GError **error)
{
  Device *device = image_device (image->image);
  void *pixels;
  library_device_enter (device);
  pixels = image_on_host (image->image, NULL, error);
  library_device_leave (device);
  return pixels;
}

/* ---- Files ---- */

unsigned
fovea_image_count (const char *path, fovea_error **error)
{
  g_autoptr (FilesImages) images = NULL;
  GError *fault = NULL;
  if (!library_has (path, "path", error))
    return 0;
  if ((images = files_images_new (path, &fault)))
    return files_images_count (images);
  library_fail (error, fault);
  return 0;
}

fovea_image *
fovea_image_open (fovea_context *context, const char *path, unsigned n, fovea_error **error)
{
  GError *fault = NULL;
  Image *image;
  if (!library_has (context, "context", error) || !library_has (path, "path", error))
    return NULL;
  if (!(image = files_open (path, n, &fault)))
    library_fail (error, fault);
  return library_image_new (context, image);
}

fovea_code
fovea_image_save (const fovea_image *image, const char *path, fovea_error **error)
{
  GError *fault = NULL;
  if (!library_has (image, "image", error) || !library_has (path, "path", error))
    return FOVEA_BAD_ARGUMENT;
  /* What a device made is brought in its turn; planes of a file come one by one while the other file is written. */
  if ((!image_device (image->image) || library_image_pixels (image, &fault)) && files_save (image->image, path, &fault))
    return FOVEA_OK;
  return library_fail (error, fault);
}

/* ---- What it is ---- */

fovea_code
fovea_image_get_info (const fovea_image *image, fovea_image_info *info, fovea_error **error)
{
  G_STATIC_ASSERT ((int) FOVEA_RGB == (int) FV_RGB);
  if (!library_has (image, "image", error) || !library_has (info, "info", error))
    return FOVEA_BAD_ARGUMENT;
  if (info->size < sizeof *info)
    return library_fail_argument (error, "info", "Its size is %zu and not that of a fovea_image_info.", info->size);
  const ImageInfo *from = image_info (image->image);
  *info = (fovea_image_info){
    .size = info->size,
    .role = (fovea_role) from->role,
    .type = pixel_type_to_dl (from->type),
    .shape = {from->frames, from->channels, from->depth, from->rows, from->columns},
    .spacing = {from->spacing[0], from->spacing[1], from->spacing[2]},
    .unit = {from->units[0], from->units[1], from->units[2]},
    .interval = from->frame_interval,
    .interval_unit = from->frame_unit,
    .name = from->name,
  };
  return FOVEA_OK;
}
