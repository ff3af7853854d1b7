/* SPDX-License-Identifier: MIT
 *
 * opening: see common_morphology.h, which has all of it but the name.
 */
#include "kernels/morphology/opening.h"

static fv_status
opening_cpu (const fv_call *call, fv_error *error)
{
  return morphology_cpu (call, MORPHOLOGY_OPENING, error);
}

const fv_op fv_op_opening = {
  FV_OP (opening_args),
  .key = "opening",
  .menu = "Process/Binary",
  .label = "Open",
  .help = "Erodes, then dilates as often: removes what is bright and smaller than the footprint (NaN spreads).",
  .kind = FV_LOCAL,
  .inputs = morphology_inputs,
  .outputs = morphology_outputs,
  .params = morphology_params,
  .grain = morphology_grain,
  .halo = morphology_halo_twice,
  .infer = morphology_infer,
  .scratch = morphology_scratch_twice,
  .run = {[FV_CPU] = opening_cpu, [FV_CUDA] = FV_CUDA_FN (opening_cuda)},
};
