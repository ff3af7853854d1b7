/* SPDX-License-Identifier: MIT
 *
 * erosion: see common_morphology.h, which has all of it but the name.
 */
#include "kernels/morphology/erosion.h"

static fv_status
erosion_cpu (const fv_call *call, fv_error *error)
{
  return morphology_cpu (call, MORPHOLOGY_EROSION, error);
}

const fv_op fv_op_erosion = {
  FV_OP (erosion_args),
  .key = "erosion",
  .menu = "Process/Binary",
  .label = "Erode",
  .help = "Replaces each pixel by the minimum over the footprint around it (NaN where it holds one): a mask shrinks.",
  .kind = FV_LOCAL,
  .inputs = morphology_inputs,
  .outputs = morphology_outputs,
  .params = morphology_params,
  .grain = morphology_grain,
  .halo = morphology_halo_once,
  .infer = morphology_infer,
  .scratch = morphology_scratch_once,
  .run = {[FV_CPU] = erosion_cpu, [FV_CUDA] = FV_CUDA_FN (erosion_cuda)},
};
