/* SPDX-License-Identifier: MIT
 *
 * rank: out(p) is the pixel of a rank among the n sorted pixels in the footprint around p. The first is the minimum, the last the maximum. Counted
 * from 0, number n / 2 is the median, and number n percentile / 100 (rounded down, at most the last) a percentile. Border: as the argument says. NaN
 * spreads: a pixel with NaN in its footprint becomes NaN.
 * Reference: scipy.ndimage median_filter, minimum_filter, maximum_filter, percentile_filter.
 *
 * Minima and maxima are erosions and dilations where the outside only repeats pixels of the footprint. That holds for a symmetric footprint and a
 * border that folds: each pixel outside repeats one at most as far away. Small footprints are sorted by a network of exchanges, for many pixels at
 * once; over large ones a histogram slides, so that only what enters and leaves counts.
 */
#ifndef KERNELS_RANK_RANK_H
#define KERNELS_RANK_RANK_H

#include "kernels/rank/rank_kind.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const fv_output rank_outputs[];
extern const fv_param rank_params[];

fv_status rank_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out,
                      fv_error *error);
int64_t rank_scratch (const fv_op *op, const void *args, const fv_grid *const *inputs);
double rank_arithmetic (const fv_op *op, const void *args, const fv_grid *const *inputs);
fv_status rank_cpu (const fv_call *call, fv_error *error);
fv_status rank_cuda (const fv_call *call, fv_error *error);

/* All of a declaration but its names: KIND is what tells the operations apart. */
#define RANK_OP(KIND, PARAMS)                                                                                          \
  FV_OP (neighborhood_args), .user = (void *) (intptr_t) (KIND), .menu = "Process/Filters", .kind = FV_LOCAL,          \
                             .inputs = neighborhood_inputs, .outputs = rank_outputs, .params = PARAMS,                 \
                             .grain = neighborhood_grain, .halo = neighborhood_halo, .infer = rank_infer,              \
                             .scratch = rank_scratch, .arithmetic = rank_arithmetic,                                   \
                             .run = {[FV_CPU] = rank_cpu, [FV_CUDA] = FV_CUDA_FN (rank_cuda)}

/* Runs as an erosion or a dilation on a device of that kind when it is one; *done says whether. */
fv_status rank_as_morphology (const fv_call *call, fv_device_kind kind, bool *done, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
