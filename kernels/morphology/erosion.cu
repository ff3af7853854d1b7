/* SPDX-License-Identifier: MIT
 *
 * erosion on the GPU: the kernels are in common_morphology.cu.
 */
#include "kernels/morphology/erosion.h"

fv_status
erosion_cuda (const fv_call *call, fv_error *error)
{
  return morphology_cuda (call, MORPHOLOGY_EROSION, error);
}
