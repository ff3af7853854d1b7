/* SPDX-License-Identifier: MIT
 *
 * otsu: threshold by Otsu's method, the short form of `threshold`. Rules for NaN, infinities and images of one value:
 * common_threshold.h. Reference: skimage.filters.threshold_otsu.
 */
#include "kernels/threshold/otsu.h"

static fv_grain
otsu_grain (const void *args)
{
  return ((const otsu_args *) args)->volume ? FV_STACK : FV_PLANES;
}

static fv_status
otsu_infer (const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) args, (void) in, (void) error;
  threshold_grid (out[0]);
  return FV_OK;
}

static fv_status
otsu_cpu (const fv_call *call, fv_error *error)
{
  const otsu_args *a = call->args;
  threshold_args b = {.method = THRESHOLD_OTSU, .bins = a->bins, .dark_background = true, .volume = a->volume};
  return threshold_run (&b, call, error);
}

const fv_op fv_op_otsu = {
  FV_OP (otsu_args),
  .key = "otsu",
  .menu = "Process/Threshold",
  .label = "Otsu Threshold",
  .help = "Makes a mask of the pixels above the threshold that separates two classes best.",
  .cite = "Otsu 1979, IEEE Trans. Syst. Man Cybern. 9:62",
  .kind = FV_GLOBAL,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Mask"}, {0}},
  .scalars = (const fv_scalar[]){THRESHOLD_SCALAR, {0}},
  .params = (const fv_param[]){{FV_FIELD (otsu_args, bins), THRESHOLD_BINS},
                               {FV_FIELD (otsu_args, volume), THRESHOLD_VOLUME},
                               {0}},
  .grain = otsu_grain,
  .infer = otsu_infer,
  .run = {[FV_CPU] = otsu_cpu, [FV_CUDA] = FV_CUDA_FN (otsu_cuda)},
};
