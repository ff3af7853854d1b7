/* SPDX-License-Identifier: MIT
 *
 * fill_holes on the GPU: background_kernel (reads and writes a byte a pixel), the operation label, filled_kernel (reads 5 bytes
 * a pixel, writes one). Both with 256 threads a block and a row for each block in turn. No synchronisation.
 */
#include "kernels/morphology/fill_holes.h"
#include "kernels/common/common.cuh"

__global__ static void __launch_bounds__ (256) background_kernel (view<const uint8_t> in, view<uint8_t> out)
{
  for (int64_t line = blockIdx.x; line < in.planes * in.rows; line += gridDim.x) {
    int64_t plane = line / in.rows, y = line - plane * in.rows;
    const uint8_t *from = in.row (plane, y);
    uint8_t *to = out.row (plane, y);
    for (int64_t x = threadIdx.x; x < in.columns; x += blockDim.x)
      to[x] = from[x] ? 0 : 255;
  }
}

__global__ static void __launch_bounds__ (256)
  filled_kernel (view<const uint8_t> in, view<const int32_t> holes, view<uint8_t> out)
{
  for (int64_t line = blockIdx.x; line < in.planes * in.rows; line += gridDim.x) {
    int64_t plane = line / in.rows, y = line - plane * in.rows;
    const uint8_t *from = in.row (plane, y);
    const int32_t *hole = holes.row (plane, y);
    uint8_t *to = out.row (plane, y);
    for (int64_t x = threadIdx.x; x < in.columns; x += blockDim.x)
      to[x] = from[x] || hole[x] ? 255 : 0;
  }
}

fv_status
fill_holes_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  int64_t lines = array_planes (in) * array_rows (in), most = 32 * (int64_t) multiprocessors ();
  unsigned blocks = (unsigned) (lines < most ? lines : most);
  view<const uint8_t> from = view_of<const uint8_t> (in);
  view<uint8_t> to = view_of<uint8_t> (out);
  label_args args = fill_holes_args (call->args);
  piece_labels holes;
  background_kernel<<<blocks, 256, 0, cuda_stream (call)>>> (from, to);
  fv_status status = cuda_status (cudaGetLastError (), "Filling holes", error);
  if (!status)
    status = pieces_find (call, FV_CUDA, out, &args, &holes, error);
  if (status)
    return status;
  filled_kernel<<<blocks, 256, 0, cuda_stream (call)>>> (from, view_of<const int32_t> (&holes.array), to);
  return cuda_status (cudaGetLastError (), "Filling holes", error);
}
