/* SPDX-License-Identifier: MIT
 *
 * patch_match on the GPU. Between 8-bit images (bytes.cuh): |a - b|^2 = |a|^2 - (2 a.b - |b|^2), and a.b of all pairs of patches on
 * integer matrix units. Else (doubles.cuh): displacement by displacement in double. When that takes more than one launch, the host is
 * asked between them whether to go on, and waits for each.
 */
#include "kernels/patch/bytes.cuh"
#include "kernels/patch/doubles.cuh"
#include "kernels/patch/patch_match.h"

fv_status
patch_match_cuda (const fv_call *call, fv_error *error)
{
  const fv_grid *a = call->inputs[0]->grid, *b = call->inputs[1]->grid;
  matching m = {call, ((const patch_match_args *) call->args)->radius, (int) a->channels, grid_depth (a)};
  return patch_match_bytes (a, b) ? match_bytes (m, error) : match_doubles (m, error);
}
