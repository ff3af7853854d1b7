/* SPDX-License-Identifier: MIT
 *
 * dilation on the GPU: the kernels are in common_morphology.cu.
 */
#include "kernels/morphology/dilation.h"

fv_status
dilation_cuda (const fv_call *call, fv_error *error)
{
  return morphology_cuda (call, MORPHOLOGY_DILATION, error);
}
