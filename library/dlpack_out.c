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
  Device *gpu;  /* NULL: it is in host memory */
  void *stream; /* on which the GPU's memory is used; NULL: not known */
} Shared;

/* What the GPU does with the memory from now on comes after what was asked of the stream. */
static void
shared_free (DLManagedTensor *managed)
{
  fv_error fault = FV_ERROR_INIT; /* comes up again where the device's work is waited for */
  Shared *shared = managed->manager_ctx;
  if (shared->gpu && shared->stream)
    device_order (shared->gpu, shared->stream, shared->gpu->stream, &fault);
  if (shared->gpu)
    image_off_device (shared->image->image, shared->gpu);
  fovea_image_free (shared->image);
  g_free (shared);
}

static DLManagedTensor *
share (const fovea_image *image, void *pixels, Device *gpu, void *stream)
{
  const ImageInfo *info = image_info (image->image);
  Shared *shared = g_new (Shared, 1);
  *shared = (Shared){
    .managed = {.dl_tensor = {.data = pixels,
                              .device = gpu ? gpu->fv->dl : (DLDevice){kDLCPU, 0},
                              .ndim = AXES,
                              .dtype = pixel_type (info->type)->dl,
                              .shape = shared->shape,
                              .strides = shared->strides},
                .manager_ctx = shared,
                .deleter = shared_free},
    .shape = {info->frames, info->channels, info->depth, info->rows, info->columns},
    .image = library_image_new (image->context, image_ref (image->image)),
    .gpu = gpu,
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
pixels_on (Image *image, Device *gpu, void *stream, GError **error)
{
  fv_error fault = FV_ERROR_INIT;
  void *pixels;
  library_device_enter (gpu);
  pixels = image_on_device (image, gpu, progress_current (), error);
  if (pixels && stream && device_order (gpu, gpu->stream, stream, &fault)) {
    step_error_set_from_plugin (error, gpu->fv->key, &fault);
    image_off_device (image, gpu);
    pixels = NULL;
  }
  library_device_leave (gpu);
  return pixels;
}

DLManagedTensor *
fovea_image_to_dlpack_on (const fovea_image *image, const fovea_device *device, void *stream, fovea_error **error)
{
  GError *fault = NULL;
  void *pixels;
  if (!library_has (image, "image", error) || !library_has (device, "device", error))
    return NULL;
  Device *gpu = library_device_of (device);
  if (!gpu->discrete)
    return fovea_image_to_dlpack (image, error);
  if (device_ready (gpu, gpu->fv->key, &fault) && (pixels = pixels_on (image->image, gpu, stream, &fault)))
    return share (image, pixels, gpu, stream);
  library_fail (error, fault);
  return NULL;
}
