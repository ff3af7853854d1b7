/* SPDX-License-Identifier: MIT */
#include "kernels/label/label_image.h"

#include "kernels/common/inner_call.h"

int64_t
label_image_bytes (const fv_grid *image, const label_args *args)
{
  fv_grid labels = *image;
  labels.type = FV_I32;
  return label_n_groups (image, args) * (int64_t) sizeof (double) + scratch_image_bytes (&labels)
         + fv_op_label.scratch (&fv_op_label, args, &image);
}

/* The counts that label gives lie before the labels. */
fv_status
label_image (const fv_call *call, fv_device_kind kind, const fv_array *image, const label_args *args,
             scratch_image *labels, fv_error *error)
{
  const fv_grid grid = scratch_grid (image, FV_I32, FV_LABELS);
  const int64_t groups = label_n_groups (image->grid, args);
  double *counts;
  fv_status status = call->host->scratch (call, (size_t) groups * sizeof *counts + (size_t) scratch_image_bytes (&grid),
                                          (void **) &counts, error);
  if (status)
    return status;
  scratch_image_lay (labels, image, &grid, counts + groups);
  return run_inner (call, kind, &fv_op_label, args, (const fv_array *[]){image}, (const fv_array *[]){&labels->array},
                    counts, error);
}
