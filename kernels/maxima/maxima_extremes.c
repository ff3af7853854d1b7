/* SPDX-License-Identifier: MIT
 */
#include "kernels/maxima/maxima_extremes.h"

#include "kernels/common/inner_call.h"
#include "kernels/morphology/morphology_args.h"

extern const fv_op fv_op_dilation, fv_op_erosion;

static morphology_args
around (const maxima_args *a)
{
  return (morphology_args){.footprint = a->volume ? FOOTPRINT_CUBE : FOOTPRINT_SQUARE,
                           .radius = a->distance,
                           .iterations = 1,
                           .volume = a->volume};
}

static const fv_op *
extremes_op (const maxima_args *a)
{
  return a->light ? &fv_op_erosion : &fv_op_dilation;
}

static int64_t
image_bytes (const fv_grid *image)
{
  return image->shape[0] * image->shape[1] * image->shape[2] * (int64_t) type_bytes (image->type);
}

void
maxima_lay_out (maxima_image *to, const fv_array *like, fv_type type, void *memory)
{
  static const DLDataType types[] = {
    [FV_U8] = {kDLUInt, 8, 1},    [FV_U16] = {kDLUInt, 16, 1},  [FV_I32] = {kDLInt, 32, 1},
    [FV_F32] = {kDLFloat, 32, 1}, [FV_F64] = {kDLFloat, 64, 1},
  };
  to->grid = *like->grid;
  to->grid.type = type;
  to->grid.role = FV_IMAGE;
  to->strides[0] = array_rows (like) * array_columns (like);
  to->strides[1] = array_columns (like);
  to->strides[2] = 1;
  to->array = (fv_array){like->size, &to->grid, like->tensor};
  to->array.tensor.data = memory;
  to->array.tensor.dtype = types[type];
  to->array.tensor.strides = to->strides;
}

int64_t
maxima_extremes_bytes (const maxima_args *a, const fv_grid *image)
{
  const morphology_args args = around (a);
  fv_grid plain = *image;
  const fv_grid *in = &plain;
  plain.role = FV_IMAGE;
  return image_bytes (image) + fv_op_dilation.scratch (extremes_op (a), &args, &in);
}

fv_status
maxima_extremes (const fv_call *call, fv_device_kind kind, maxima_image *extremes, fv_error *error)
{
  const morphology_args args = around (call->args);
  fv_array in = *call->inputs[0];
  fv_grid plain = *in.grid;
  const fv_array *from = &in, *to = &extremes->array;
  void *memory;
  fv_status status = call->host->scratch (call, (size_t) image_bytes (in.grid), &memory, error);
  if (status)
    return status;
  plain.role = FV_IMAGE; /* a mask, too, is taken as it is */
  in.grid = &plain;
  maxima_lay_out (extremes, &in, in.grid->type, memory);
  return run_inner (call, kind, extremes_op (call->args), &args, &from, &to, NULL, error);
}
