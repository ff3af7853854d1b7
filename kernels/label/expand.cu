/* SPDX-License-Identifier: MIT
 *
 * expand on the GPU: near_kernel for each axis, 256 threads a block, a row for each block in turn; a pixel without a label looks along
 * the axis to both sides, until what is found is nearer than all that is farther away can be. It reads 4 bytes along the first axis and
 * 8 along the others, mostly from the cache, for each pixel that it looks at, and writes 8, along the last axis 4. Labels and squared
 * distances between two axes are in scratch. No synchronisation.
 */
#include "kernels/label/expand.h"
#include "kernels/common/common.cuh"

/* Labels and squared distances before an axis, which have the same strides; along the first one no distances but 0 on labels. */
template <bool FIRST> struct expand_sites {
  view<const int32_t> label;
  const int32_t *squared;
  int32_t far;

  __device__ int32_t squared_at (int64_t at) const
  {
    if constexpr (FIRST)
      return label.data[at] ? 0 : far;
    else
      return squared[at];
  }
};

/* The nearest of pixel `at`: along the axis there are `behind` and `ahead` more, step from one to the next. */
template <bool FIRST>
__device__ static int64_t
nearest_site (const expand_sites<FIRST> &s, int64_t at, int64_t behind, int64_t ahead, int64_t step, int32_t *squared)
{
  int32_t best = s.squared_at (at);
  int64_t site = at;
  for (int32_t k = 1; k * k <= best && k * k < s.far && (k <= behind || k <= ahead); k++) {
    if (k <= behind) {
      int32_t d = k * k + s.squared_at (at - k * step);
      if (d <= best && d < s.far) { /* of equal ones the first along the axis */
        best = d;
        site = at - k * step;
      }
    }
    if (k <= ahead) {
      int32_t d = k * k + s.squared_at (at + k * step);
      if (d < best) {
        best = d;
        site = at + k * step;
      }
    }
  }
  *squared = best;
  return site;
}

/* axis: 0 along z, 1 along y, 2 along x; new_squared: of `out`, dense; NULL: not needed any more. */
template <bool FIRST>
__global__ static void __launch_bounds__ (256)
  near_kernel (expand_sites<FIRST> s, view<int32_t> out, int32_t *new_squared, int axis)
{
  const view<const int32_t> &in = s.label;
  int64_t step = axis == 0 ? in.plane_stride : axis == 1 ? in.row_stride : 1;
  for (int64_t line = blockIdx.x; line < in.planes * in.rows; line += gridDim.x) {
    int64_t plane = line / in.rows, y = line - plane * in.rows;
    for (int64_t x = threadIdx.x; x < in.columns; x += blockDim.x) {
      int64_t i = axis == 0 ? plane : axis == 1 ? y : x, n = axis == 0 ? in.planes : axis == 1 ? in.rows : in.columns;
      int32_t squared;
      int64_t at = plane * in.plane_stride + y * in.row_stride + x;
      out.row (plane, y)[x] = in.data[nearest_site (s, at, i, n - 1 - i, step, &squared)];
      if (new_squared)
        new_squared[line * in.columns + x] = squared;
    }
  }
}

/* Labels and squared distances in scratch, dense. */
struct expand_fields {
  view<int32_t> label;
  int32_t *squared;
};

static fv_status
make_fields (const fv_call *call, expand_fields *f, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  int64_t planes = array_planes (in), rows = array_rows (in), columns = array_columns (in);
  int32_t *memory;
  fv_status status = cuda_scratch (call, 2 * (size_t) (planes * rows * columns), &memory, error);
  f->label = {memory, planes, rows, columns, rows * columns, columns};
  f->squared = memory + planes * rows * columns;
  return status;
}

static view<const int32_t>
to_read (const view<int32_t> &v)
{
  return {v.data, v.planes, v.rows, v.columns, v.plane_stride, v.row_stride};
}

fv_status
expand_cuda (const fv_call *call, fv_error *error)
{
  const expand_args *args = (const expand_args *) call->args;
  const fv_array *in = call->inputs[0];
  int64_t lines = array_planes (in) * array_rows (in), most = 32 * (int64_t) multiprocessors ();
  const int32_t far = expand_reach (args) + 1;
  unsigned blocks = (unsigned) (lines < most ? lines : most);
  cudaStream_t stream = cuda_stream (call);
  expand_fields f = {}, next = {};
  fv_status status = make_fields (call, &f, error);
  if (!status && args->volume)
    status = make_fields (call, &next, error);
  if (status)
    return status;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  expand_sites<true> input = {view_of<const int32_t> (in), NULL, far};
  near_kernel<true><<<blocks, 256, 0, stream>>> (input, f.label, f.squared, args->volume ? 0 : 1);
  expand_sites<false> sites = {to_read (f.label), f.squared, far};
  if (args->volume) {
    near_kernel<false><<<blocks, 256, 0, stream>>> (sites, next.label, next.squared, 1);
    sites = {to_read (next.label), next.squared, far};
  }
  near_kernel<false><<<blocks, 256, 0, stream>>> (sites, view_of<int32_t> (call->outputs[0]), NULL, 2);
  return cuda_status (cudaGetLastError (), "Expanding objects", error);
}
