/* SPDX-License-Identifier: MIT
 *
 * outline on the GPU: one kernel, 256 threads a block, a row for each block in turn; reads a pixel of foreground and its neighbors,
 * mostly from the cache, and writes one. No synchronisation.
 */
#include "kernels/morphology/outline.h"
#include "kernels/common/common.cuh"

template <typename T>
__device__ static bool
is_outline (const view<const T> &in, const outline_rows &near, bool mask, int64_t plane, int64_t y, int64_t x)
{
  T own = in.row (plane, y)[x];
  for (int i = 0; i < near.n; i++) {
    int64_t other_plane = plane + near.row[i].dz, other_y = y + near.row[i].dy;
    int reach = near.row[i].reach;
    if (other_plane < 0 || other_plane >= in.planes || other_y < 0 || other_y >= in.rows)
      return true;
    for (int64_t other_x = x - reach; other_x <= x + reach; other_x++) {
      if (other_x < 0 || other_x >= in.columns)
        return true;
      T other = in.row (other_plane, other_y)[other_x];
      if (mask ? other == 0 : other != own)
        return true;
    }
  }
  return false;
}

template <typename T>
__global__ static void __launch_bounds__ (256)
  outline_kernel (view<const T> in, view<T> out, const __grid_constant__ outline_rows near, bool mask)
{
  for (int64_t line = blockIdx.x; line < in.planes * in.rows; line += gridDim.x) {
    int64_t plane = line / in.rows, y = line - plane * in.rows;
    const T *from = in.row (plane, y);
    T *to = out.row (plane, y);
    for (int64_t x = threadIdx.x; x < in.columns; x += blockDim.x) {
      T own = from[x];
      to[x] = own != 0 && own == own && is_outline (in, near, mask, plane, y, x) ? own : 0;
    }
  }
}

fv_status
outline_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  int64_t lines = array_planes (in) * array_rows (in), most = 32 * (int64_t) multiprocessors ();
  outline_rows near = outline_rows_of (call->args);
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  with_type (in->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    outline_kernel<T><<<(unsigned) (lines < most ? lines : most), 256, 0, cuda_stream (call)>>> (
      view_of<const T> (in), view_of<T> (call->outputs[0]), near, in->grid->role == FV_MASK);
  });
  return cuda_status (cudaGetLastError (), "Outlining", error);
}
