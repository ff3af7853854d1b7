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

int64_t
maxima_extremes_bytes (const maxima_args *a, const fv_grid *image)
{
  const morphology_args args = around (a);
  fv_grid plain = *image;
  const fv_grid *in = &plain;
  plain.role = FV_IMAGE;
  return scratch_image_bytes (image) + fv_op_dilation.scratch (extremes_op (a), &args, &in);
}

fv_status
maxima_extremes (const fv_call *call, fv_device_kind kind, scratch_image *extremes, fv_error *error)
{
  const morphology_args args = around (call->args);
  fv_array in = *call->inputs[0];
  fv_grid plain = *in.grid;
  const fv_array *from = &in, *to = &extremes->array;
  plain.role = FV_IMAGE; /* a mask, too, is taken as it is */
  in.grid = &plain;
  fv_status status = scratch_image_make (call, &in, &plain, extremes, error);
  return status ? status : run_inner (call, kind, extremes_op (call->args), &args, &from, &to, NULL, error);
}
