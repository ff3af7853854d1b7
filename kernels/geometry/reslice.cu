/* SPDX-License-Identifier: MIT
 *
 * reslice on the GPU: rows that stay rows by blocks of 256, one for each in turn. Columns that become rows by blocks of 32 x 8, for squares of 32 x
 * 32 pixels of a plane of the input. Squares go through shared memory with two barriers each. Each pixel is read once and written once.
 */
#include "kernels/common/common.cuh"
#include "kernels/geometry/reslice.h"

enum { SIDE = 32, HEIGHT = 8 };

template <typename T>
__global__ void __launch_bounds__ (256) reslice_rows_kernel (view<const T> in, view<T> out, reslice_args a)
{
  for (int64_t line = blockIdx.x; line < out.planes * out.rows; line += gridDim.x) {
    const int64_t plane = line / out.rows, y = line - plane * out.rows;
    const T *from = in.row (reslice_depth (&a, y, out.rows), reslice_cut (&a, plane, out.planes));
    T *to = out.row (plane, y);
    for (int64_t x = threadIdx.x; x < out.columns; x += 256)
      to[x] = from[x];
  }
}

template <typename T>
__global__ void
__launch_bounds__ (SIDE *HEIGHT) reslice_columns_kernel (view<const T> in, view<T> out, reslice_args a)
{
  __shared__ T square[SIDE][SIDE + 1];
  const int64_t across = (in.columns + SIDE - 1) / SIDE, down = (in.rows + SIDE - 1) / SIDE;
  for (int64_t i = blockIdx.x; i < in.planes * down * across; i += gridDim.x) {
    const int64_t z = i / (down * across), left = i % across * SIDE, top = i / across % down * SIDE;
    for (int k = threadIdx.y; k < SIDE; k += HEIGHT)
      if (top + k < in.rows && left + threadIdx.x < in.columns)
        square[k][threadIdx.x] = in.row (z, top + k)[left + threadIdx.x];
    __syncthreads ();
    for (int k = threadIdx.y; k < SIDE; k += HEIGHT)
      if (left + k < in.columns && top + threadIdx.x < in.rows)
        out.row (reslice_cut (&a, left + k, in.columns), reslice_depth (&a, z, in.planes))[top + threadIdx.x] =
          square[threadIdx.x][k];
    __syncthreads ();
  }
}

extern "C" fv_status
reslice_cuda (const fv_call *call, fv_error *error)
{
  const reslice_args *a = (const reslice_args *) call->args;
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const bool upright = reslice_upright (a);
  const int64_t lines = array_planes (out) * array_rows (out),
                squares =
                  array_planes (in) * blocks_for (array_rows (in), SIDE) * blocks_for (array_columns (in), SIDE),
                work = upright ? squares : lines, most = 32 * (int64_t) multiprocessors ();
  const unsigned blocks = (unsigned) (work < most ? work : most);
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  with_type (in->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    const view<const T> from = view_of<const T> (in);
    const view<T> to = view_of<T> (out);
    if (upright)
      reslice_columns_kernel<T><<<blocks, dim3 (SIDE, HEIGHT), 0, cuda_stream (call)>>> (from, to, *a);
    else
      reslice_rows_kernel<T><<<blocks, 256, 0, cuda_stream (call)>>> (from, to, *a);
  });
  return cuda_status (cudaGetLastError (), "Reslicing", error);
}
