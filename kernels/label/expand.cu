/* SPDX-License-Identifier: MIT
 *
 * expand on the GPU: near_kernel for each axis, 256 threads a block, a row for each block in turn; a pixel without a label looks along
 * the axis to both sides, until what is found is nearer than all that is farther away can be. It reads 8 bytes, mostly from
 * the cache, for each pixel that it looks at, and writes 8 (along x 4). Labels and squared distances go to and fro between two pairs of
 * arrays in scratch, and the last ones into the output. No synchronisation.
 */
#include "kernels/label/expand.h"
#include "kernels/common/common.cuh"

/* Labels and squared distances, dense, in planes of rows of columns. */
struct expand_fields {
  const int32_t *label, *squared;
  int32_t *new_label, *new_squared;
  int64_t planes, rows, columns;
  int32_t far;
};

__global__ static void __launch_bounds__ (256)
  sites_kernel (view<const int32_t> in, int32_t *label, int32_t *squared, int32_t far)
{
  for (int64_t line = blockIdx.x; line < in.planes * in.rows; line += gridDim.x) {
    int64_t plane = line / in.rows, y = line - plane * in.rows;
    const int32_t *from = in.row (plane, y);
    for (int64_t x = threadIdx.x; x < in.columns; x += blockDim.x) {
      label[line * in.columns + x] = from[x];
      squared[line * in.columns + x] = from[x] ? 0 : far;
    }
  }
}

/* The nearest of pixel `at`, which is number i of n along an axis: step pixels from one to the next. */
__device__ static int64_t
nearest_site (const expand_fields &f, int64_t at, int64_t i, int64_t n, int64_t step, int64_t *squared)
{
  int64_t best = f.squared[at], site = at;
  for (int64_t k = 1; k * k <= best && k * k < f.far && (k <= i || k < n - i); k++) {
    if (k <= i) {
      int64_t d = k * k + f.squared[at - k * step];
      if (d <= best && d < f.far) { /* of equal ones the first along the axis */
        best = d;
        site = at - k * step;
      }
    }
    if (k < n - i) {
      int64_t d = k * k + f.squared[at + k * step];
      if (d < best) {
        best = d;
        site = at + k * step;
      }
    }
  }
  *squared = best;
  return site;
}

/* axis: 0 along z, 1 along y, 2 along x into the output. */
__global__ static void __launch_bounds__ (256) near_kernel (expand_fields f, view<int32_t> out, int axis)
{
  for (int64_t line = blockIdx.x; line < f.planes * f.rows; line += gridDim.x) {
    int64_t plane = line / f.rows, y = line - plane * f.rows;
    for (int64_t x = threadIdx.x; x < f.columns; x += blockDim.x) {
      int64_t at = line * f.columns + x, squared;
      int64_t i = axis == 0 ? plane : axis == 1 ? y : x, n = axis == 0 ? f.planes : axis == 1 ? f.rows : f.columns;
      int64_t step = axis == 0 ? f.rows * f.columns : axis == 1 ? f.columns : 1;
      int32_t label = f.label[nearest_site (f, at, i, n, step, &squared)];
      if (axis == 2)
        out.row (plane, y)[x] = label;
      else {
        f.new_label[at] = label;
        f.new_squared[at] = (int32_t) squared;
      }
    }
  }
}

fv_status
expand_cuda (const fv_call *call, fv_error *error)
{
  const expand_args *args = (const expand_args *) call->args;
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  view<const int32_t> from = view_of<const int32_t> (in);
  int64_t lines = from.planes * from.rows, most = 32 * (int64_t) multiprocessors ();
  size_t pixels = (size_t) (lines * from.columns);
  unsigned blocks = (unsigned) (lines < most ? lines : most);
  cudaStream_t stream = cuda_stream (call);
  int32_t *memory;
  fv_status status = cuda_scratch (call, 4 * pixels, &memory, error);
  if (status)
    return status;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  expand_fields f = {memory,      memory + pixels, memory + 2 * pixels, memory + 3 * pixels,
                     from.planes, from.rows,       from.columns,        expand_reach (args) + 1};
  sites_kernel<<<blocks, 256, 0, stream>>> (from, memory, memory + pixels, f.far);
  for (int axis = args->volume ? 0 : 1; axis < 3; axis++) {
    near_kernel<<<blocks, 256, 0, stream>>> (f, view_of<int32_t> (out), axis);
    expand_fields next = f;
    next.label = f.new_label, next.squared = f.new_squared;
    next.new_label = (int32_t *) f.label, next.new_squared = (int32_t *) f.squared;
    f = next;
  }
  return cuda_status (cudaGetLastError (), "Expanding objects", error);
}
