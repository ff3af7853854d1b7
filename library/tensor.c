/* SPDX-License-Identifier: MIT */
#include "library/tensor.h"

#include "core/data/pixel_type.h"

static gboolean
is_on_host (const DLTensor *t)
{
  return t->device.device_type == kDLCPU || t->device.device_type == kDLCUDAHost;
}

gboolean
tensor_on_host (const DLTensor *t, const char *name, fovea_error **error)
{
  if (!is_on_host (t))
    library_fail_argument (error, name, "They are not in host memory (device type %d).", (int) t->device.device_type);
  return is_on_host (t);
}

gboolean
tensor_read (const DLTensor *t, const char *name, Tensor *tensor, fovea_error **error)
{
  int missing = AXES - t->ndim;
  const PixelType *type = pixel_type_from_dl (t->dtype);
  if (!t->data)
    library_fail_argument (error, name, "They are NULL.");
  else if (t->ndim < 2 || t->ndim > AXES)
    library_fail_argument (error, name, "They have %d dimensions; an image has 2 to 5.", (int) t->ndim);
  else if (!type)
    library_fail_argument (error, name,
                           "Their type (code %d, %d bits, %d lanes) is not u8, i8, u16, i16, f16, u32, i32, f32 or "
                           "f64; convert them.",
                           (int) t->dtype.code, (int) t->dtype.bits, (int) t->dtype.lanes);
  else {
    guint64 dense = 1; /* whose product may be anything: sizes are checked later */
    *tensor = (Tensor){.pixels = (char *) t->data + t->byte_offset, .type = type->type, .bytes = t->dtype.bits / 8};
    for (int axis = AXES - 1; axis >= 0; axis--) {
      tensor->shape[axis] = axis < missing ? 1 : t->shape[axis - missing];
      tensor->steps[axis] = axis >= missing && t->strides ? t->strides[axis - missing] : (int64_t) dense;
      dense *= (guint64) tensor->shape[axis];
    }
    return TRUE;
  }
  return FALSE;
}
