/* SPDX-License-Identifier: MIT
 *
 * stencil on the GPU.
 *
 * stencil_kernel: 128 threads a block, a column of STENCIL_ROWS pixels each, which goes down with what is around a pixel in registers. Reads each
 * pixel from memory once and, in a volume, twice more from the L2, its neighbors from L1; writes each once. Nothing waits.
 * stencil_quads, in planes the rows of which are made of quads that lie well: the same, QUAD columns a thread.
 */
#ifndef KERNELS_FILTERS_STENCIL_CUH
#define KERNELS_FILTERS_STENCIL_CUH

#include "kernels/common/row.cuh"
#include "kernels/filters/stencil.h"

enum {
  STENCIL_ROWS = 8,
  STENCIL_BLOCK = 128,
  QUAD = 4,
  QUAD_ROWS = 4 /* that are fetched together */
};

template <typename In, typename Out, typename T> struct stencil_job {
  view<const In> in;
  view<Out> out;
  border edge;
  T value;
};

/* Pixels left of x, at x and right of it in one row; column -1: the constant. */
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

template <typename T> struct alignas (QUAD * sizeof (T)) quad {
  T v[QUAD];
};

/* QUAD pixels of a row from x on, and one on either side; row -1, or column -1 of one of these: the constant. */
template <typename In, typename Out, typename T>
__device__ __forceinline__ void
load_quad (const stencil_job<In, Out, T> &j, int64_t z, int64_t y, int64_t x, const int64_t (&beside)[2],
           T (&to)[QUAD + 2])
{
  const In *row = j.in.row (z, y < 0 ? 0 : y);
  const pack<In, QUAD> middle = *(const pack<In, QUAD> *) (row + x);
#pragma unroll
  for (int i = 0; i < QUAD; i++)
    to[i + 1] = y < 0 ? j.value : (T) middle.pixel (i);
#pragma unroll
  for (int i = 0; i < 2; i++)
    to[i * (QUAD + 1)] = y < 0 || beside[i] < 0 ? j.value : (T) row[beside[i]];
}

/* Rows y0 ... y1 - 1 of QUAD columns from x on. */
template <typename In, typename Out, typename T, typename Rule>
__device__ __forceinline__ void
quads_down (const stencil_job<In, Out, T> &j, const Rule &rule, int64_t z, int64_t y0, int64_t y1, int64_t x,
            const int64_t (&beside)[2])
{
  T v[QUAD_ROWS + 2][QUAD + 2];
#pragma unroll
  for (int k = 0; k < 2; k++)
    load_quad (j, z, border_index (y0 - 1 + k, j.in.rows, j.edge), x, beside, v[k]);
#pragma unroll 1
  for (int64_t y = y0; y < y1; y += QUAD_ROWS) {
#pragma unroll
    for (int k = 0; k < QUAD_ROWS; k++)
      load_quad (j, z, border_index (y + k < y1 ? y + k + 1 : y1, j.in.rows, j.edge), x, beside, v[k + 2]);
#pragma unroll
    for (int k = 0; k < QUAD_ROWS; k++) {
      quad<Out> result;
#pragma unroll
      for (int c = 0; c < QUAD; c++) {
        T around[3][3][3];
#pragma unroll
        for (int i = 0; i < 9; i++)
          around[1][i / 3][i % 3] = v[k + i / 3][c + i % 3];
        result.v[c] = pixel_from<Out> (rule.template at<false> (around));
      }
      if (y + k < y1)
        *(quad<Out> *) (j.out.row (z, y + k) + x) = result;
    }
#pragma unroll
    for (int i = 0; i < 2 * (QUAD + 2); i++)
      v[i / (QUAD + 2)][i % (QUAD + 2)] = v[QUAD_ROWS + i / (QUAD + 2)][i % (QUAD + 2)];
  }
}

template <typename In, typename Out, typename T, typename Rule>
__global__ static void
__launch_bounds__ (STENCIL_BLOCK) stencil_quads (const __grid_constant__ stencil_job<In, Out, T> j, const Rule rule)
{
  const int64_t x = ((int64_t) blockIdx.x * STENCIL_BLOCK + threadIdx.x) * QUAD;
  if (x >= j.out.columns)
    return;
  const int64_t beside[2] = {border_index (x - 1, j.in.columns, j.edge), border_index (x + QUAD, j.in.columns, j.edge)};
  for (int64_t z = blockIdx.z; z < j.out.planes; z += gridDim.z)
    for (int64_t y = (int64_t) blockIdx.y * STENCIL_ROWS; y < j.out.rows; y += (int64_t) gridDim.y * STENCIL_ROWS)
      quads_down (j, rule, z, y, y + STENCIL_ROWS < j.out.rows ? y + STENCIL_ROWS : j.out.rows, x, beside);
}

/* Whether rows start where quads can be read and written. */
template <typename T>
static bool
in_quads (view<T> v)
{
  return v.columns % QUAD == 0 && (uintptr_t) v.data % (QUAD * sizeof (T)) == 0 && v.row_stride % QUAD == 0
         && v.plane_stride % QUAD == 0;
}

/* From one image to another that is not the same. */
template <typename T, typename In, typename Out, typename Rule>
static cudaError_t
run_stencil (const fv_call *call, const stencil_args *a, view<const In> in, view<Out> out, const Rule &rule)
{
  stencil_job<In, Out, T> j = {in, out, (border) a->border, (T) a->value};
  const bool quads = !a->volume && in_quads (in) && in_quads (out);
  dim3 grid = grid_of_rows (out.planes, blocks_for (out.rows, STENCIL_ROWS),
                            blocks_for (out.columns, quads ? QUAD * STENCIL_BLOCK : (int) STENCIL_BLOCK));
  if (quads)
    stencil_quads<<<grid, STENCIL_BLOCK, 0, cuda_stream (call)>>> (j, rule);
  else if (a->volume)
    stencil_kernel<true><<<grid, STENCIL_BLOCK, 0, cuda_stream (call)>>> (j, rule);
  else
    stencil_kernel<false><<<grid, STENCIL_BLOCK, 0, cuda_stream (call)>>> (j, rule);
  return cudaGetLastError ();
}

#endif
