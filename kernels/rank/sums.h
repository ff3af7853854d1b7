/* SPDX-License-Identifier: MIT
 *
 * sums: mean and variance of the n pixels in the footprint around p. The mean is S / n with S = sum of in(p + o). The variance is (Q - S S / n) / n
 * with Q = sum of in(p + o) squared; it is that of these pixels, not an estimate from a sample. Border: as the argument says. NaN and infinities
 * reach as far as the footprint, and no further. Sums are of doubles.
 * Reference: scipy.ndimage.uniform_filter; convolve with the footprint; generic_filter with numpy.var.
 *
 * The order of the sums is the same on all devices and wherever a tile begins, so that a pixel has the same bits everywhere. A run of w pixels
 * is cut into pieces of powers of two, one for each bit of w, the largest first. A piece is the sum of its two halves; the smallest piece is
 * added first. Nothing is ever subtracted. Squares and cubes: columns of all slices first, then these sums along the row. Other footprints:
 * slice by slice, from the shortest pieces to the longest, those of a length row by row.
 */
#ifndef KERNELS_RANK_SUMS_H
#define KERNELS_RANK_SUMS_H

#include "kernels/rank/neighborhood.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sums_kind { SUMS_MEAN, SUMS_VARIANCE } sums_kind;

extern const fv_output sums_outputs[];
extern const fv_param sums_params[];

fv_status sums_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out,
                      fv_error *error);
double sums_arithmetic (const fv_op *op, const void *args, const fv_grid *const *inputs);
fv_status sums_cpu (const fv_call *call, fv_error *error);
fv_status sums_cuda (const fv_call *call, fv_error *error);

#define SUMS_OP(KIND)                                                                                                  \
  FV_OP (neighborhood_args), .user = (void *) (intptr_t) (KIND), .menu = "Process/Filters", .kind = FV_LOCAL,          \
                             .inputs = neighborhood_inputs, .outputs = sums_outputs, .params = sums_params,            \
                             .grain = neighborhood_grain, .halo = neighborhood_halo, .infer = sums_infer,              \
                             .arithmetic = sums_arithmetic,                                                            \
                             .run = {[FV_CPU] = sums_cpu, [FV_CUDA] = FV_CUDA_FN (sums_cuda)}

#ifdef __cplusplus
}
#endif

#endif
