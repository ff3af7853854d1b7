/* SPDX-License-Identifier: MIT
 *
 * otsu: out = 255 where in > t, else 0, t by Otsu's method, the short form of `threshold`. Rules for NaN, infinities and images of one value:
 * methods.h. Reference: skimage.filters.threshold_otsu.
 */
#include "kernels/threshold/methods.h"

static fv_grain
otsu_grain (const fv_op *op, const void *args)
{
  (void) op;
  return ((const threshold_short_args *) args)->volume ? FV_STACK : FV_PLANES;
}

static fv_status
otsu_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op, (void) args, (void) in, (void) error;
  threshold_grid (out[0]);
  return FV_OK;
}

const fv_op fv_op_otsu = {
  FV_OP (threshold_short_args),
  .user = (void *) (intptr_t) THRESHOLD_OTSU,
  .key = "otsu",
  .menu = "Process/Threshold",
  .label = "Otsu Threshold",
  .search = "segment segmentation auto threshold binary binarize make mask foreground background",
  .traits = FV_THRESHOLDS,
  .help = "Makes a mask of the pixels above the threshold that separates two classes best.",
  .cite = "Otsu 1979, IEEE Trans. Syst. Man Cybern. 9:62",
  .kind = FV_GLOBAL,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Mask"}, {0}},
  .scalars = (const fv_scalar[]){THRESHOLD_SCALAR, {0}},
  .params = (const fv_param[]){{FV_FIELD (threshold_short_args, bins), THRESHOLD_BINS},
                               {FV_FIELD (threshold_short_args, volume), THRESHOLD_VOLUME},
                               {0}},
  .grain = otsu_grain,
  .infer = otsu_infer,
  .run = {[FV_CPU] = threshold_cpu, [FV_CUDA] = FV_CUDA_FN (threshold_cuda)},
  .part = FV_PART_GIVEN,
};
