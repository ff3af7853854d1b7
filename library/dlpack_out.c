/* SPDX-License-Identifier: MIT
 *
 * Pixels as DLPack tensors, where they lie.
 */
#include "library/tensor.h"

#include "core/base/error.h"
#include "core/data/pixel_type.h"

/* A tensor that holds its image. */
typedef struct {
  DLManagedTensor managed; /* first: its address is that of the whole */
  int64_t shape[AXES], strides[AXES];
  fovea_image *image;
  Device *card; /* NULL: it is in host memory */
  void *stream; /* on which the card's memory is used; NULL: not known */
} Shared;

/* What the GPU does with the memory from now on comes after what was asked of the stream. */
static void
shared_free (DLManagedTensor *managed)
{
  fv_error fault = FV_ERROR_INIT; /* comes up again where the device's work is waited for */
  Shared *shared = managed->manager_ctx;
  if (shared->card && shared->stream)
    device_order (shared->card, shared->stream, shared->card->stream, &fault);
  if (shared->card)
    image_off_device (shared->image->image, shared->card);
  fovea_image_free (shared->image);
  g_free (shared);
}

static DLManagedTensor *
share (const fovea_image *image, void *pixels, Device *card, void *stream)
{
  const ImageInfo *info = image_info (image->image);
  Shared *shared = g_new (Shared, 1);
  *shared = (Shared){
    .managed = {.dl_tensor = {.data = pixels,
                              .device = card ? card->fv->dl : (DLDevice){kDLCPU, 0},
                              .ndim = AXES,
                              .dtype = pixel_type (info->type)->dl,
                              .shape = shared->shape,
                              .strides = shared->strides},
                .manager_ctx = shared,
                .deleter = shared_free},
    .shape = {info->frames, info->channels, info->depth, info->rows, info->columns},
    .image = library_image_new (image->context, image_ref (image->image)),
    .card = card,
    .stream = stream,
  };
  for (int64_t axis = AXES, step = 1; axis--; step *= shared->shape[axis])
    shared->strides[axis] = step;
  return &shared->managed;
}

DLManagedTensor *
fovea_image_to_dlpack (const fovea_image *image, fovea_error **error)
{
  GError *fault = NULL;
  void *pixels;
  if (!library_has (image, "image", error))
    return NULL;
  if ((pixels = library_image_pixels (image, &fault)))
    return share (image, pixels, NULL, NULL);
  library_fail (error, fault);
  return NULL;
}

/* In use there until image_off_device(). NULL with *error. */
static void *
pixels_on (Image *image, Device *card, void *stream, GError **error)
{
  fv_error fault = FV_ERROR_INIT;
  void *pixels;
  library_device_enter (card);
  pixels = image_on_device (image, card, progress_current (), error);
  if (pixels && stream && device_order (card, card->stream, stream, &fault)) {
    step_error_set_from_plugin (error, card->fv->key, &fault);
    image_off_device (image, card);
    pixels = NULL;
  }
  library_device_leave (card);
  return pixels;
}

DLManagedTensor *
fovea_image_to_dlpack_on (const fovea_image *image, const fovea_device *device, void *stream, fovea_error **error)
{
  GError *fault = NULL;
  void *pixels;
  if (!library_has (image, "image", error) || !library_has (device, "device", error))
    return NULL;
  Device *card = library_device_of (device);
  if (!card->discrete)
    return fovea_image_to_dlpack (image, error);
  if (device_ready (card, card->fv->key, &fault) && (pixels = pixels_on (image->image, card, stream, &fault)))
    return share (image, pixels, card, stream);
  library_fail (error, fault);
  return NULL;
}
