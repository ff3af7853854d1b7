/* SPDX-License-Identifier: MIT
 *
 * turn on the GPU: one kernel, a block of 32 x 8 threads for each square of 32 x 32 pixels of the result. Squares go through shared memory so that
 * rows are read and written along their lengths. Each pixel is read once and written once. Two barriers a square.
 */
#include "kernels/common/common.cuh"
#include "kernels/geometry/turn.h"

enum { SIDE = 32, HEIGHT = 8 };

template <typename T>
__global__ void
__launch_bounds__ (SIDE *HEIGHT) turn_kernel (view<const T> in, view<T> out, turn_ways w)
{
  __shared__ T square[SIDE][SIDE + 1];
  const int64_t across = (out.columns + SIDE - 1) / SIDE, down = (out.rows + SIDE - 1) / SIDE;
  for (int64_t i = blockIdx.x; i < out.planes * down * across; i += gridDim.x) {
    int64_t plane = i / (down * across), left = i % across * SIDE, top = i / across % down * SIDE;
    /* Neighbors in x of the square are neighbors in a row of the input. */
    for (int k = threadIdx.y; k < SIDE; k += HEIGHT) {
      int64_t y = top + (w.swapped ? threadIdx.x : k), x = left + (w.swapped ? k : threadIdx.x);
      if (y >= out.rows || x >= out.columns)
        continue;
      int64_t v = w.swapped ? x : y, u = w.swapped ? y : x;
      v = w.up ? in.rows - 1 - v : v;
      u = w.left ? in.columns - 1 - u : u;
      square[y - top][x - left] = in.row (plane, v)[u];
    }
    __syncthreads ();
    for (int k = threadIdx.y; k < SIDE; k += HEIGHT)
      if (top + k < out.rows && left + threadIdx.x < out.columns)
        out.row (plane, top + k)[left + threadIdx.x] = square[k][threadIdx.x];
    __syncthreads ();
  }
}

fv_status
turn_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const turn_ways w = turn_ways_of ((const turn_args *) call->args);
  int64_t squares = array_planes (out) * blocks_for (array_rows (out), SIDE) * blocks_for (array_columns (out), SIDE),
          most = 32 * (int64_t) multiprocessors ();
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  with_type (in->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    turn_kernel<T><<<(unsigned) (squares < most ? squares : most), dim3 (SIDE, HEIGHT), 0, cuda_stream (call)>>> (
      view_of<const T> (in), view_of<T> (out), w);
  });
  return cuda_status (cudaGetLastError (), "Turning", error);
}
