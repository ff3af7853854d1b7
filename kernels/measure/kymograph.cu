/* SPDX-License-Identifier: MIT
 *
 * kymograph on the GPU: one kernel, blocks of 128, a thread for a pixel of the result in turn; reads four pixels for each of `width` samples
 * and writes one. Nothing is waited for.
 */
#include "kernels/common/common.cuh"
#include "kernels/measure/kymograph.h"

enum { KYMOGRAPH_THREADS = 128 };

template <typename T>
__global__ void
__launch_bounds__ (KYMOGRAPH_THREADS)
  kymograph_kernel (stack_view in, int64_t rows, int64_t columns, sampled_line line, view<T> out)
{
  const int64_t all = out.planes * out.rows * line.n;
  for (int64_t i = (int64_t) blockIdx.x * KYMOGRAPH_THREADS + threadIdx.x; i < all;
       i += (int64_t) gridDim.x * KYMOGRAPH_THREADS) {
    const int64_t row = i / line.n, sample = i - row * line.n, plane = row / out.rows, frame = row - plane * out.rows;
    out.row (plane, frame)[sample] = (T) sampled_value (&in, rows, columns, &line, frame * out.planes + plane, sample);
  }
}

extern "C" fv_status
kymograph_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const sampled_line line = kymograph_line_of ((const kymograph_args *) call->args);
  const int64_t blocks = blocks_for (array_planes (out) * array_rows (out) * line.n, KYMOGRAPH_THREADS),
                most = 64 * (int64_t) multiprocessors ();
  const unsigned grid = (unsigned) (blocks < most ? blocks : most);
  const stack_view pixels = stack_view_of (in, 0, 1);
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  if (out->grid->type == FV_F64)
    kymograph_kernel<<<grid, KYMOGRAPH_THREADS, 0, cuda_stream (call)>>> (pixels, array_rows (in), array_columns (in),
                                                                          line, view_of<double> (out));
  else
    kymograph_kernel<<<grid, KYMOGRAPH_THREADS, 0, cuda_stream (call)>>> (pixels, array_rows (in), array_columns (in),
                                                                          line, view_of<float> (out));
  return cuda_status (cudaGetLastError (), "The kymograph", error);
}
