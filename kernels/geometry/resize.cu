/* SPDX-License-Identifier: MIT
 *
 * resize on the GPU: average_areas, a thread for a pixel of the result, 32 x 8 of them a block, for tiles of that size in turn. Each pixel is read
 * once, or twice where areas share it, through the caches. The result is written once. No synchronization. Then the splines of zoom.
 */
#include "kernels/common/common.cuh"
#include "kernels/common/row.cuh"
#include "kernels/geometry/resize.h"

enum { AREA_WIDTH = 32, AREA_HEIGHT = 8 };

template <typename T, typename R>
__global__ void
__launch_bounds__ (AREA_WIDTH *AREA_HEIGHT) average_areas (view<const T> in, view<R> out)
{
  const int64_t across = (out.columns + AREA_WIDTH - 1) / AREA_WIDTH, down = (out.rows + AREA_HEIGHT - 1) / AREA_HEIGHT;
  for (int64_t tile = blockIdx.x; tile < out.planes * down * across; tile += gridDim.x) {
    const int64_t plane = tile / (down * across), x = tile % across * AREA_WIDTH + threadIdx.x,
                  y = tile / across % down * AREA_HEIGHT + threadIdx.y;
    if (x >= out.columns || y >= out.rows)
      continue;
    const area_span rows = area_span_of (in.rows, out.rows, y), columns = area_span_of (in.columns, out.columns, x);
    double all = 0;
    for (int64_t i = 0; i < columns.count; i++) {
      const T *at = in.row (plane, rows.first) + columns.first + i;
      double sum = 0;
#pragma unroll 4
      for (int64_t j = 0; j < rows.count; j++)
        sum += area_weight (&rows, j) * (double) at[j * in.row_stride];
      all += area_weight (&columns, i) * sum;
    }
    out.row (plane, y)[x] = pixel_from<R> (all);
  }
}

static fv_status
average (const fv_call *call, const fv_array *in, const fv_array *out, fv_error *error)
{
  const int64_t tiles = array_planes (out) * blocks_for (array_rows (out), AREA_HEIGHT)
                        * blocks_for (array_columns (out), AREA_WIDTH),
                most = 32 * (int64_t) multiprocessors ();
  const unsigned blocks = (unsigned) (tiles < most ? tiles : most);
  if (call->host->tick (call, 0, 2))
    return cancelled (error);
  with_type (in->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    const dim3 block (AREA_WIDTH, AREA_HEIGHT);
    if (out->grid->type == in->grid->type)
      average_areas<T, T><<<blocks, block, 0, cuda_stream (call)>>> (view_of<const T> (in), view_of<T> (out));
    else if (out->grid->type == FV_F32)
      average_areas<T, float><<<blocks, block, 0, cuda_stream (call)>>> (view_of<const T> (in), view_of<float> (out));
    else
      average_areas<T, double><<<blocks, block, 0, cuda_stream (call)>>> (view_of<const T> (in), view_of<double> (out));
  });
  return cuda_status (cudaGetLastError (), "Resizing", error);
}

extern "C" fv_status
resize_cuda (const fv_call *call, fv_error *error)
{
  const resize_args *a = (const resize_args *) call->args;
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const spline_rule rule = resize_rule (a);
  scratch_image middle;
  if (!resize_reduces (a, in->grid, out->grid))
    return spline_resample_cuda (call, &rule, in, out, false, resize_working_type (in->grid), error);
  if (!resize_enlarges (in->grid, out->grid))
    return average (call, in, out, error);
  if (resize_middle_make (call, &middle, error) || average (call, in, &middle.array, error))
    return error->code;
  return spline_resample_cuda (call, &rule, &middle.array, out, false, middle.grid.type, error);
}
