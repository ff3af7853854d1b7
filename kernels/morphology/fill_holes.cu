/* SPDX-License-Identifier: MIT
 *
 * fill_holes on the GPU: the kernel of rows.cuh (reads and writes a byte a pixel), the operation label, the kernel again (reads 5 bytes a pixel,
 * writes one).
 */
#include "kernels/morphology/fill_holes.h"
#include "kernels/common/rows.cuh"

fv_status
fill_holes_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *out = call->outputs[0];
  const view<const uint8_t> in = view_of<const uint8_t> (call->inputs[0]);
  const view<uint8_t> made = view_of<uint8_t> (out);
  const label_args args = fill_holes_args (call->args);
  scratch_image holes;
  rows_launch (call, made, [=] __device__ (int64_t plane, int64_t y) {
    const uint8_t *from = in.row (plane, y);
    uint8_t *to = made.row (plane, y);
    return [=] (int64_t x) { to[x] = from[x] ? 0 : 255; };
  });
  if (cuda_status (cudaGetLastError (), "Filling holes", error)
      || label_image (call, FV_CUDA, out, &args, &holes, error))
    return error->code;
  const view<const int32_t> labels = view_of<const int32_t> (&holes.array);
  rows_launch (call, made, [=] __device__ (int64_t plane, int64_t y) {
    const uint8_t *from = in.row (plane, y);
    const int32_t *hole = labels.row (plane, y);
    uint8_t *to = made.row (plane, y);
    return [=] (int64_t x) { to[x] = from[x] || hole[x] ? 255 : 0; };
  });
  return cuda_status (cudaGetLastError (), "Filling holes", error);
}
