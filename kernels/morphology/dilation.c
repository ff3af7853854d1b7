/* SPDX-License-Identifier: MIT
 *
 * dilation: see common_morphology.h, which has all of it but the name.
 */
#include "kernels/morphology/dilation.h"

static fv_status
dilation_cpu (const fv_call *call, fv_error *error)
{
  return morphology_cpu (call, MORPHOLOGY_DILATION, error);
}

const fv_op fv_op_dilation = {
  FV_OP (dilation_args),
  .key = "dilation",
  .menu = "Process/Binary",
  .label = "Dilate",
  .help = "Replaces each pixel by the maximum over the footprint around it (NaN where it holds one): a mask grows.",
  .kind = FV_LOCAL,
  .inputs = morphology_inputs,
  .outputs = morphology_outputs,
  .params = morphology_params,
  .grain = morphology_grain,
  .halo = morphology_halo_once,
  .infer = morphology_infer,
  .scratch = morphology_scratch_once,
  .run = {[FV_CPU] = dilation_cpu, [FV_CUDA] = FV_CUDA_FN (dilation_cuda)},
};
