/* SPDX-License-Identifier: MIT
 *
 * convex_hull on the GPU: the operation label, the runs of the objects, and a team of threads for each object, which makes its hull and paints one
 * row of it after the other. Hulls that overlap write the same byte. In addition: 20 bytes read and at most 48 written a run, a byte written for each
 * pixel of a hull. No synchronization but within teams.
 */
#include "kernels/measure/convex_hull.h"
#include "kernels/common/rows.cuh"
#include "kernels/regions/region_hull.cuh"
#include "kernels/regions/region_runs.cuh"

struct is_object {
  __device__ int32_t operator() (double v) const
  {
    return v != 0;
  }
};

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

fv_status
convex_hull_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  const bool each = ((const convex_hull_args *) call->args)->method == CONVEX_HULL_OBJECTS;
  const label_args args = convex_hull_labels (call->args);
  scratch_image labels;
  paint_hulls paint = {};
  paint.out = view_of<uint8_t> (call->outputs[0]);
  fv_status status = each ? label_image (call, FV_CUDA, in, &args, &labels, error)
                          : scratch_image_take (call, in, FV_I32, FV_LABELS, &labels, error);
  if (status)
    return status;
  rows_launch (call, paint.out, [out = paint.out] __device__ (int64_t plane, int64_t y) {
    return [to = out.row (plane, y)] (int64_t x) { to[x] = 0; };
  });
  if (!each)
    rows_over<to_type<int32_t>> (call, in, &labels.array, 0, array_planes (in), point_rows<is_object>{});
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
