/* SPDX-License-Identifier: MIT
 *
 * closing: see common_morphology.h, which has all of it but the name.
 */
#include "kernels/morphology/closing.h"

static fv_status
closing_cpu (const fv_call *call, fv_error *error)
{
  return morphology_cpu (call, MORPHOLOGY_CLOSING, error);
}

const fv_op fv_op_closing = {
  FV_OP (closing_args),
  .key = "closing",
  .menu = "Process/Binary",
  .label = "Close-",
  .help = "Dilates, then erodes as often: fills what is dark and smaller than the footprint (NaN spreads).",
  .kind = FV_LOCAL,
  .inputs = morphology_inputs,
  .outputs = morphology_outputs,
  .params = morphology_params,
  .grain = morphology_grain,
  .halo = morphology_halo_twice,
  .infer = morphology_infer,
  .scratch = morphology_scratch_twice,
  .run = {[FV_CPU] = closing_cpu, [FV_CUDA] = FV_CUDA_FN (closing_cuda)},
};
