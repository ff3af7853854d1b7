/* SPDX-License-Identifier: MIT
 *
 * Images of an operation in scratch memory, dense: without padding.
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

/* How many bytes an image takes. Whole words of 4, as atomics set bytes in words. */
static inline int64_t
scratch_image_bytes (const fv_grid *grid)
{
  return (grid->shape[0] * grid->shape[1] * grid->shape[2] * (int64_t) type_bytes (grid->type) + 3) / 4 * 4;
}

/* Makes an image of that grid over memory of the device where `on` is. The grid is copied. */
static inline void
scratch_image_lay (scratch_image *to, const fv_array *on, const fv_grid *grid, void *memory)
{
  DLDataType type = {kDLUInt, (uint8_t) (8 * type_bytes (grid->type)), 1};
  if (grid->type & (FV_FLOATS | FV_F16))
    type.code = kDLFloat;
  else if (grid->type & (FV_I8 | FV_I16 | FV_I32))
    type.code = kDLInt;
  to->grid = *grid;
  to->strides[2] = 1;
  to->strides[1] = grid->shape[2];
  to->strides[0] = grid->shape[1] * grid->shape[2];
  to->array = *on;
  to->array.grid = &to->grid;
  to->array.tensor.data = memory;
  to->array.tensor.byte_offset = 0;
  to->array.tensor.dtype = type;
  to->array.tensor.shape = to->grid.shape;
  to->array.tensor.strides = to->strides;
}

/* The grid of an image of the shape of `like`. */
static inline fv_grid
scratch_grid (const fv_array *like, fv_type type, fv_role role)
{
  fv_grid grid = *like->grid;
  memcpy (grid.shape, like->tensor.shape, sizeof grid.shape);
  grid.type = type;
  grid.role = role;
  return grid;
}

/* An image of the shape of `like`, over memory of its device. */
static inline void
scratch_image_like (scratch_image *to, const fv_array *like, fv_type type, fv_role role, void *memory)
{
  const fv_grid grid = scratch_grid (like, type, role);
  scratch_image_lay (to, like, &grid, memory);
}

/* Takes the memory as well. The pixels are not set. */
static inline fv_status
scratch_image_make (const fv_call *call, const fv_array *on, const fv_grid *grid, scratch_image *to, fv_error *error)
{
  scratch_image_lay (to, on, grid, NULL);
  return call->host->scratch (call, (size_t) scratch_image_bytes (grid), &to->array.tensor.data, error);
}

static inline fv_status
scratch_image_take (const fv_call *call, const fv_array *like, fv_type type, fv_role role, scratch_image *to,
                    fv_error *error)
{
  const fv_grid grid = scratch_grid (like, type, role);
  return scratch_image_make (call, like, &grid, to, error);
}

#endif
