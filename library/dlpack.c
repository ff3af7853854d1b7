/* SPDX-License-Identifier: MIT
 *
 * Pixels in and out as DLPack tensors: in as a copy, because images never change; out as they lie.
 */
#include "library/private.h"

#include "core/base/error.h"
#include "library/pixel_type.h"

#include <math.h>
#include <string.h>

enum { AXES = 5 };

/* ---- Out ---- */

/* A tensor that holds its image. */
typedef struct {
  DLManagedTensor managed; /* first: its address is that of the whole */
  int64_t shape[AXES], strides[AXES];
  fovea_image *image;
} Shared;

static void
shared_free (DLManagedTensor *managed)
{
  Shared *shared = managed->manager_ctx;
  fovea_image_free (shared->image);
  g_free (shared);
}

DLManagedTensor *
fovea_image_to_dlpack (const fovea_image *image, fovea_error **error)
{
  GError *fault = NULL;
  void *pixels;
  Shared *shared;
  if (!library_has (image, "image", error))
    return NULL;
  if (!(pixels = library_image_pixels (image, &fault))) {
    library_fail (error, fault);
    return NULL;
  }
  const ImageInfo *info = image_info (image->image);
  shared = g_new (Shared, 1);
  *shared = (Shared){
    .managed = {.dl_tensor = {.data = pixels,
                              .device = {kDLCPU, 0},
                              .ndim = AXES,
                              .dtype = pixel_type_to_dl (info->type),
                              .shape = shared->shape,
                              .strides = shared->strides},
                .manager_ctx = shared,
                .deleter = shared_free},
    .shape = {info->frames, info->channels, info->depth, info->rows, info->columns},
    .image = library_image_new (image->context, image_ref (image->image)),
  };
  for (int64_t axis = AXES, step = 1; axis--; step *= shared->shape[axis])
    shared->strides[axis] = step;
  return &shared->managed;
}

/* ---- In ---- */

/* A tensor with all axes. */
typedef struct {
  const char *pixels;
  gsize bytes; /* of a pixel */
  int64_t shape[AXES], steps[AXES];
} Source;

/* FALSE with *error when it is nothing that an image can be made of. */
static gboolean
read_tensor (const DLTensor *t, Source *source, fv_type *type, fovea_error **error)
{
  int missing = AXES - t->ndim;
  if (t->device.device_type != kDLCPU)
    library_fail_argument (error, "pixels", "They are not in host memory (device type %d).",
                           (int) t->device.device_type);
  else if (!t->data)
    library_fail_argument (error, "pixels", "They are NULL.");
  else if (t->ndim < 2 || t->ndim > AXES)
    library_fail_argument (error, "pixels", "They have %d dimensions; an image has 2 to 5.", (int) t->ndim);
  else if (!pixel_type_from_dl (t->dtype, type))
    library_fail_argument (
      error, "pixels", "Their type (code %d, %d bits, %d lanes) is none of u8, u16, i32, f32 and f64; convert them.",
      (int) t->dtype.code, (int) t->dtype.bits, (int) t->dtype.lanes);
  else {
    guint64 dense = 1; /* whose product may be anything: sizes are checked later */
    *source = (Source){.pixels = (const char *) t->data + t->byte_offset, .bytes = t->dtype.bits / 8};
    for (int axis = AXES - 1; axis >= 0; axis--) {
      source->shape[axis] = axis < missing ? 1 : t->shape[axis - missing];
      source->steps[axis] = axis >= missing && t->strides ? t->strides[axis - missing] : (int64_t) dense;
      dense *= (guint64) source->shape[axis];
    }
    return TRUE;
  }
  return FALSE;
}

static void
copy_row (const Source *source, const char *from, char *to)
{
  int64_t n = source->shape[AXES - 1], step = source->steps[AXES - 1] * (int64_t) source->bytes;
  if (step == (int64_t) source->bytes)
    memcpy (to, from, (gsize) n * source->bytes);
  else
    for (int64_t x = 0; x < n; x++)
      memcpy (to + (gsize) x * source->bytes, from + x * step, source->bytes);
}

/* Copies all from this axis on, and returns where the next goes. */
static char *
copy_axis (const Source *source, int axis, const char *from, char *to)
{
  if (axis == AXES - 1) {
    copy_row (source, from, to);
    return to + (gsize) source->shape[axis] * source->bytes;
  }
  for (int64_t i = 0; i < source->shape[axis]; i++)
    to = copy_axis (source, axis + 1, from + i * source->steps[axis] * (int64_t) source->bytes, to);
  return to;
}

/* Whether the values can be what the role says; FALSE with *error. */
static gboolean
check_role (const ImageInfo *info, const void *pixels, GError **error)
{
  const gint32 *labels = pixels;
  gsize n = (gsize) image_info_planes (info) * (gsize) info->rows * (gsize) info->columns;
  for (gsize i = 0; info->role == FV_LABELS && i < n; i++)
    if (labels[i] < 0) {
      step_error_set (error, FV_BAD_INPUT, "pixels", "pixels: Labels are not negative; pixel %zu is %d.", i, labels[i]);
      return FALSE;
    }
  return TRUE;
}

/* FALSE with *error when a tensor of this type and so many channels cannot have the role. */
static gboolean
check_type (fovea_role role, fv_type type, int64_t channels, fovea_error **error)
{
  if (role == FOVEA_IMAGE || (role == FOVEA_MASK && type == FV_U8) || (role == FOVEA_LABELS && type == FV_I32)
      || (role == FOVEA_RGB && type == FV_U8 && channels == 3))
    return TRUE;
  library_fail_argument (error, "role",
                         "A mask is u8, labels are i32, and RGB is u8 with 3 channels; any type is FOVEA_IMAGE.");
  return FALSE;
}

static double
positive (double value, double otherwise)
{
  return value > 0 && isfinite (value) ? value : otherwise;
}

static ImageInfo
describe (const Source *source, fv_type type, const fovea_image_info *info)
{
  ImageInfo to = {
    .type = type,
    .role = (fv_role) info->role,
    .frames = source->shape[0],
    .channels = source->shape[1],
    .depth = source->shape[2],
    .rows = source->shape[3],
    .columns = source->shape[4],
    .frame_interval = positive (info->interval, 0),
    .frame_unit = (char *) info->interval_unit,
    .name = (char *) info->name,
  };
  for (int i = 0; i < 3; i++) {
    to.spacing[i] = positive (info->spacing[i], 1);
    to.units[i] = (char *) info->unit[i];
  }
  return to;
}

static Image *
copy_pixels (const Source *source, const ImageInfo *info, GError **error)
{
  g_autoptr (Image) image = image_info_check (info, error) ? image_new (info, error) : NULL;
  if (!image)
    return NULL;
  copy_axis (source, 0, source->pixels, image_pixels (image));
  return check_role (info, image_pixels (image), error) ? g_steal_pointer (&image) : NULL;
}

fovea_image *
fovea_image_from_dlpack (fovea_context *context, const DLTensor *pixels, const fovea_image_info *info,
                         fovea_error **error)
{
  const fovea_image_info none = {.size = sizeof none};
  GError *fault = NULL;
  Source source;
  Image *image;
  fv_type type;
  info = info ? info : &none;
  if (!library_has (context, "context", error) || !library_has (pixels, "pixels", error))
    return NULL;
  if (info->size < sizeof *info) {
    library_fail_argument (error, "info", "Its size is %zu and not that of a fovea_image_info.", info->size);
    return NULL;
  }
  if (!read_tensor (pixels, &source, &type, error) || !check_type (info->role, type, source.shape[1], error))
    return NULL;
  const ImageInfo described = describe (&source, type, info);
  if (!(image = copy_pixels (&source, &described, &fault)))
    library_fail (error, fault);
  return library_image_new (context, image);
}
