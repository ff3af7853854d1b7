/* SPDX-License-Identifier: MIT
 *
 * convex_hull on the GPU: the operation label, the runs of the objects, and a team of threads for each object, which makes its hull
 * and paints one row of it after the other. Hulls that overlap write the same byte. Besides: 20 bytes read and at most 48
 * written a run, a byte written for each pixel of a hull. No synchronisation but within teams.
 */
#include "kernels/measure/convex_hull.h"
#include "kernels/regions/region_hull.cuh"
#include "kernels/regions/region_runs.cuh"

struct paint_hulls {
  region_set s;
  chain_memory memory;
  view<uint8_t> out;

  template <typename TEAM> __device__ void operator() (TEAM &team, int64_t i, int64_t) const
  {
    region o = {};
    o.first_run = s.first[i];
    o.runs = s.runs + o.first_run;
    o.n_runs = region_end (s, i) - o.first_run;
    o.low[1] = o.runs[0].y;
    hull h = build_hull<HULL_DIAMOND> (team, o, memory);
    int64_t rows = o.runs[o.n_runs - 1].y + 1 - o.low[1];
    hull_rows r (h, 0);
    for (int64_t y = 0; y < rows; y++) {
      int64_t x0, x1;
      r.ends (h, y, &x0, &x1);
      uint8_t *row = out.row (o.runs[0].z, o.low[1] + y);
      for (int64_t x = x0 + team.rank; x < x1; x += TEAM::size)
        row[x] = 255;
    }
  }
};

__global__ static void __launch_bounds__ (256) one_object_kernel (view<const uint8_t> in, view<int32_t> labels)
{
  for (int64_t line = blockIdx.x; line < in.planes * in.rows; line += gridDim.x) {
    const uint8_t *from = in.row (line / in.rows, line % in.rows);
    int32_t *to = labels.row (line / in.rows, line % in.rows);
    for (int64_t x = threadIdx.x; x < in.columns; x += blockDim.x)
      to[x] = from[x] != 0;
  }
}

__global__ static void __launch_bounds__ (256) clear_hulls_kernel (view<uint8_t> out)
{
  for (int64_t line = blockIdx.x; line < out.planes * out.rows; line += gridDim.x) {
    uint8_t *to = out.row (line / out.rows, line % out.rows);
    for (int64_t x = threadIdx.x; x < out.columns; x += blockDim.x)
      to[x] = 0;
  }
}

fv_status
convex_hull_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  int64_t lines = array_planes (in) * array_rows (in), most = 32 * (int64_t) multiprocessors ();
  unsigned blocks = (unsigned) (lines < most ? lines : most);
  cudaStream_t stream = cuda_stream (call);
  convex_hull_labels labels;
  paint_hulls paint = {};
  paint.out = view_of<uint8_t> (call->outputs[0]);
  fv_status status = convex_hull_room (call, &labels, error);
  if (status)
    return status;
  clear_hulls_kernel<<<blocks, 256, 0, stream>>> (paint.out);
  if (((const convex_hull_args *) call->args)->method == CONVEX_HULL_OBJECTS)
    status = convex_hull_label (call, FV_CUDA, &labels, error);
  else
    one_object_kernel<<<blocks, 256, 0, stream>>> (view_of<const uint8_t> (in), view_of<int32_t> (&labels.array));
  if (!status)
    status = cuda_status (cudaGetLastError (), "Finding objects", error);
  if (!status)
    status = region_set_find (call, &labels.array, false, &paint.s, error);
  if (status || !paint.s.n)
    return status;
  status = cuda_scratch (call, 3 * (size_t) paint.s.n_runs, &paint.memory.left, error);
  if (!status)
    status = cuda_scratch (call, 3 * (size_t) paint.s.n_runs, &paint.memory.right, error);
  return status ? status : for_each_object (call, &paint.s, INT64_MAX, paint, error);
}
