/* SPDX-License-Identifier: MIT
 *
 * thin: the CPU version; peel.c does the work.
 */
#include "kernels/morphology/thin.h"
#include "kernels/morphology/peel.h"

VECTORISED static bool
thin_row (uint64_t *restrict to, const uint64_t *up, const uint64_t *own, const uint64_t *down, int64_t n, int half)
{
  uint64_t gone = 0;
  for (int64_t i = 0; i < n; i++) {
    to[i] = thin_word (up + i, own + i, down + i, half);
    gone |= to[i] ^ own[i];
  }
  return gone != 0;
}

static int64_t
thin_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op, (void) args;
  return peel_bytes (in[0]->shape[1], in[0]->shape[2]);
}

static fv_status
thin_cpu (const fv_call *call, fv_error *error)
{
  static const peel_rule rule = {thin_row, 2};
  return peel_masks (call, &rule, 2 * (int64_t) ((const thin_args *) call->args)->iterations, error);
}

const fv_op fv_op_thin = {
  FV_OP (thin_args),
  .key = "thin",
  .menu = "Process/Binary",
  .label = "Thin...",
  .search = "skeleton skeletonize centre line medial axis",
  .help = "Removes pixels from the edges of objects, which stay connected, until lines one pixel wide are left.",
  .cite = "L. Lam, S.-W. Lee, C. Y. Suen, IEEE Trans. Pattern Anal. Mach. Intell. 14 (1992) 869",
  .kind = FV_GLOBAL,
  .reads_back = true, /* whether something has changed */
  .inputs = (const fv_input[]){{"image", "Image", "The mask.", FV_U8 | FV_WANTS_MASK, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Mask"}, {0}},
  .params = (const fv_param[]){{FV_FIELD (thin_args, iterations), .label = "Iterations", .max = 100000, .soft_max = 50,
                                .help = "Number of times that pixels are removed; 0: until nothing changes."},
                               {0}},
  .infer = peel_infer,
  .scratch = thin_scratch,
  .run = {[FV_CPU] = thin_cpu, [FV_CUDA] = FV_CUDA_FN (thin_cuda)},
  .part = FV_PART_ALIKE,
};
