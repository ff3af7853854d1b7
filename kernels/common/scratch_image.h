/* SPDX-License-Identifier: MIT
 *
 * An image of numbers in scratch memory, of the shape of the first input and without padding.
 */
#ifndef KERNELS_COMMON_SCRATCH_IMAGE_H
#define KERNELS_COMMON_SCRATCH_IMAGE_H

#include "kernels/common/common.h"

/* Not to be copied: the array points into it. */
typedef struct scratch_image {
  fv_array array;
  fv_grid grid;
  int64_t strides[3];
} scratch_image;

/* type: FV_I32, FV_F32 or FV_F64. The pixels are not set. */
static inline fv_status
scratch_image_take (const fv_call *call, fv_type type, scratch_image *to, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  int64_t bytes = (int64_t) type_bytes (type);
  to->grid = *in->grid;
  to->grid.type = type;
  to->grid.role = FV_IMAGE;
  to->strides[2] = 1;
  to->strides[1] = array_columns (in);
  to->strides[0] = array_rows (in) * array_columns (in);
  to->array = *in;
  to->array.grid = &to->grid;
  to->array.tensor.dtype.code = type & FV_FLOATS ? kDLFloat : kDLInt;
  to->array.tensor.dtype.bits = (uint8_t) (8 * bytes);
  to->array.tensor.strides = to->strides;
  return call->host->scratch (call, (size_t) (array_planes (in) * to->strides[0] * bytes), &to->array.tensor.data,
                              error);
}

#endif
