/* SPDX-License-Identifier: MIT
 *
 * stencil on the GPU.
 *
 * stencil_kernel: 128 threads a block, a column of STENCIL_ROWS pixels each, which goes down with what is around a pixel in registers. Reads each
 * pixel from memory once and, in a volume, twice more from the L2, its neighbours from L1; writes each once. Nothing waits.
 */
#ifndef KERNELS_FILTERS_STENCIL_CUH
#define KERNELS_FILTERS_STENCIL_CUH

#include "kernels/common/row.cuh"
#include "kernels/filters/stencil.h"

enum { STENCIL_ROWS = 16, STENCIL_BLOCK = 128 };

template <typename In, typename Out, typename T> struct stencil_job {
  view<const In> in;
  view<Out> out;
  border edge;
  T value;
};

/* Pixels left of x, at x and right of it in one row; place -1: the constant. */
template <typename In, typename Out, typename T>
__device__ __forceinline__ void
load_three (const stencil_job<In, Out, T> &j, int64_t z, int64_t y, const int64_t (&x)[3], T (&to)[3])
{
  const In *row = j.in.row (z, y);
#pragma unroll
  for (int i = 0; i < 3; i++)
    to[i] = z < 0 || y < 0 || x[i] < 0 ? j.value : (T) row[x[i]];
}

/* rule.at<VOLUME> (v): the result from T v[3][3][3], z, y and x from -1 to 1; v[0] and v[2] are there in a volume only. */
template <bool VOLUME, typename In, typename Out, typename T, typename Rule>
__device__ __forceinline__ void
go_down (const stencil_job<In, Out, T> &j, const Rule &rule, int64_t z, int64_t y0, int64_t y1, const int64_t (&x)[3])
{
  T v[3][3][3];
  int64_t planes[3];
#pragma unroll
  for (int k = 0; k < 3; k++)
    planes[k] = VOLUME ? border_index (z + k - 1, j.in.planes, j.edge) : z;
#pragma unroll 4
  for (int64_t y = y0 - 1; y <= y1; y++) {
    int64_t row = border_index (y, j.in.rows, j.edge);
#pragma unroll
    for (int k = VOLUME ? 0 : 1; k < (VOLUME ? 3 : 2); k++) {
#pragma unroll
      for (int i = 0; i < 3; i++) {
        v[k][0][i] = v[k][1][i];
        v[k][1][i] = v[k][2][i];
      }
      load_three (j, planes[k], row, x, v[k][2]);
    }
    if (y > y0)
      j.out.row (z, y - 1)[x[1]] = pixel_from<Out> (rule.template at<VOLUME> (v));
  }
}

template <bool VOLUME, typename In, typename Out, typename T, typename Rule>
__global__ static void
__launch_bounds__ (STENCIL_BLOCK) stencil_kernel (const __grid_constant__ stencil_job<In, Out, T> j, const Rule rule)
{
  int64_t column = (int64_t) blockIdx.x * STENCIL_BLOCK + threadIdx.x;
  if (column >= j.out.columns)
    return;
  const int64_t x[3] = {border_index (column - 1, j.in.columns, j.edge), column,
                        border_index (column + 1, j.in.columns, j.edge)};
  for (int64_t z = blockIdx.z; z < j.out.planes; z += gridDim.z)
    for (int64_t y = (int64_t) blockIdx.y * STENCIL_ROWS; y < j.out.rows; y += (int64_t) gridDim.y * STENCIL_ROWS)
      go_down<VOLUME> (j, rule, z, y, y + STENCIL_ROWS < j.out.rows ? y + STENCIL_ROWS : j.out.rows, x);
}

/* From one image to another that is not the same. */
template <typename T, typename In, typename Out, typename Rule>
static cudaError_t
run_stencil (const fv_call *call, const stencil_args *a, view<const In> in, view<Out> out, const Rule &rule)
{
  stencil_job<In, Out, T> j = {in, out, (border) a->border, (T) a->value};
  dim3 grid = grid_of_rows (out.planes, blocks_for (out.rows, STENCIL_ROWS), blocks_for (out.columns, STENCIL_BLOCK));
  if (a->volume)
    stencil_kernel<true><<<grid, STENCIL_BLOCK, 0, cuda_stream (call)>>> (j, rule);
  else
    stencil_kernel<false><<<grid, STENCIL_BLOCK, 0, cuda_stream (call)>>> (j, rule);
  return cudaGetLastError ();
}

#endif
