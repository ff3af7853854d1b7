/* SPDX-License-Identifier: MIT
 *
 * pieces on the GPU: the operation label, then one kernel, 256 threads a block, a row for each block in turn; reads each label and
 * each pixel once and writes it once. No synchronisation.
 */
#include "kernels/morphology/pieces.h"
#include "kernels/common/common.cuh"

template <typename T>
__global__ static void __launch_bounds__ (256)
  keep_pieces_kernel (view<const T> in, view<const int32_t> labels, view<T> out)
{
  for (int64_t line = blockIdx.x; line < in.planes * in.rows; line += gridDim.x) {
    int64_t plane = line / in.rows, y = line - plane * in.rows;
    const T *from = in.row (plane, y);
    const int32_t *label = labels.row (plane, y);
    T *to = out.row (plane, y);
    for (int64_t x = threadIdx.x; x < in.columns; x += blockDim.x)
      to[x] = label[x] ? from[x] : 0;
  }
}

extern "C" fv_status
pieces_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  int64_t lines = array_planes (in) * array_rows (in), most = 32 * (int64_t) multiprocessors ();
  label_args args = pieces_args (call);
  piece_labels labels;
  fv_status status = pieces_find (call, FV_CUDA, in, &args, &labels, error);
  if (status)
    return status;
  with_type (in->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    keep_pieces_kernel<T><<<(unsigned) (lines < most ? lines : most), 256, 0, cuda_stream (call)>>> (
      view_of<const T> (in), view_of<const int32_t> (&labels.array), view_of<T> (call->outputs[0]));
  });
  return cuda_status (cudaGetLastError (), "Removing objects", error);
}
