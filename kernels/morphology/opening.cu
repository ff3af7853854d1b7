/* SPDX-License-Identifier: MIT
 *
 * opening on the GPU: the kernels are in common_morphology.cu.
 */
#include "kernels/morphology/opening.h"

fv_status
opening_cuda (const fv_call *call, fv_error *error)
{
  return morphology_cuda (call, MORPHOLOGY_OPENING, error);
}
