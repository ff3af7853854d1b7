/* SPDX-License-Identifier: MIT
 *
 * hat: what tophat and blackhat share. tophat: out = in - opening (in), what is bright and smaller than the footprint; blackhat: closing (in)
 * - in, what is dark and smaller. Integers are clamped to their type. Masks: what is in one and not in the other.
 * Border, NaN rule: morphology.h; infinities give NaN. Reference: skimage.morphology.white_tophat, black_tophat, mode "ignore".
 */
#ifndef KERNELS_MORPHOLOGY_HAT_H
#define KERNELS_MORPHOLOGY_HAT_H

#include "kernels/morphology/morphology.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hat_kind { HAT_WHITE, HAT_BLACK } hat_kind;

int64_t hat_scratch (const fv_op *op, const void *args, const fv_grid *const *inputs);
void hat_halo (const fv_op *op, const void *args, const fv_grid *input, int64_t halo[3]);
fv_status hat_cpu (const fv_call *call, fv_error *error);
fv_status hat_cuda (const fv_call *call, fv_error *error);

#define HAT_OP(KIND)                                                                                                   \
  FV_OP (morphology_args), .user = (void *) (intptr_t) (KIND), .menu = "Process/Filters", .kind = FV_LOCAL,            \
                           .inputs = morphology_inputs, .outputs = morphology_outputs, .params = morphology_params,    \
                           .grain = morphology_grain, .halo = hat_halo, .infer = morphology_infer,                     \
                           .scratch = hat_scratch, .run = {[FV_CPU] = hat_cpu, [FV_CUDA] = FV_CUDA_FN (hat_cuda)}

/* Makes the opening or the closing of the image in the output of the call. */
fv_status hat_prepare (const fv_call *call, fv_device_kind kind, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
