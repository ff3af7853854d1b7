/* SPDX-License-Identifier: MIT
 *
 * closing on the GPU: the kernels are in common_morphology.cu.
 */
#include "kernels/morphology/closing.h"

fv_status
closing_cuda (const fv_call *call, fv_error *error)
{
  return morphology_cuda (call, MORPHOLOGY_CLOSING, error);
}
