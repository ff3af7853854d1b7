/* SPDX-License-Identifier: MIT
 *
 * morphology: what erosion, dilation, opening and closing share: arguments, form and CPU version.
 * erosion: out(p) = min over o in F of in(p + o); dilation: max. F: the footprint. Opening is erosions, then as many
 * dilations with F mirrored about its origin; closing the other way round.
 * Border: what lies outside the image is neutral. NaN spreads: a pixel with NaN in its footprint becomes NaN.
 * Masks: any non-zero pixel is foreground, the result is 0/255. Reference: skimage.morphology, mode "ignore".
 */
#ifndef KERNELS_MORPHOLOGY_MORPHOLOGY_H
#define KERNELS_MORPHOLOGY_MORPHOLOGY_H

#include "kernels/morphology/morphology_args.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const fv_input morphology_inputs[];
extern const fv_output morphology_outputs[];
extern const fv_param morphology_params[];

fv_grain morphology_grain (const fv_op *op, const void *args);
void morphology_halo (const fv_op *op, const void *args, const fv_grid *input, int64_t halo[3]);
int64_t morphology_scratch (const fv_op *op, const void *args, const fv_grid *const *inputs);
fv_status morphology_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out,
                            fv_error *error);
fv_status morphology_cpu (const fv_call *call, fv_error *error);
fv_status morphology_cuda (const fv_call *call, fv_error *error);

/* The image less its opening, or its closing less the image; of anything but a mask. */
fv_status morphology_hat_cuda (const fv_call *call, bool white, fv_error *error);

/* All of a declaration but its names: KIND is what tells the operations apart. */
#define MORPHOLOGY_OP(KIND)                                                                                            \
  FV_OP (morphology_args), .user = (void *) (intptr_t) (KIND), .menu = "Process/Binary", .kind = FV_LOCAL,             \
                           .inputs = morphology_inputs, .outputs = morphology_outputs, .params = morphology_params,    \
                           .grain = morphology_grain, .halo = morphology_halo, .infer = morphology_infer,              \
                           .scratch = morphology_scratch,                                                              \
                           .run = {[FV_CPU] = morphology_cpu, [FV_CUDA] = FV_CUDA_FN (morphology_cuda)}

#ifdef __cplusplus
}
#endif

#endif
