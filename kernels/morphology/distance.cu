/* SPDX-License-Identifier: MIT
 *
 * distance on the GPU. Words of columns tell how far background is in its column (columns.cuh). Along rows and planes a pixel asks its
 * neighbors, from near to far, until one so far could not be the nearest any more. No kernel has a barrier; all have blocks of 256 for
 * 256 columns of a row.
 *
 * columns_kernel reads mostly from L2, writes 4 bytes a pixel. nearest_kernel reads 4 bytes a pixel and, mostly from L1 and L2, twice as
 * many as its distance is; writes 4 bytes a pixel.
 */
#include "kernels/morphology/distance.h"
#include "kernels/common/columns.cuh"

enum { THREADS = COLUMN_THREADS };

typedef column_map<uint8_t, true> distance_map;

/* What a pass along an axis reads and writes. */
struct distance_pass {
  const void *from; /* counts or costs, without gaps */
  view<float> to;
  int64_t stride, n; /* along the axis */
  double step;
  double column_step; /* of counts */
  bool across_planes, last;
};

__global__ static void
__launch_bounds__ (THREADS) columns_kernel (distance_map m, int32_t *counts)
{
  int64_t plane, y, x;
  if (m.position (m.in.rows, &plane, &y, &x))
    counts[(plane * m.in.rows + y) * m.in.columns + x] = m.count (plane, y, x, DISTANCE_NONE);
}

/* What a pixel costs by the passes before. */
template <distance_metric METRIC>
__device__ __forceinline__ double
cost_before (const distance_pass &p, int64_t at)
{
  return p.across_planes ? (double) ((const float *) p.from)[at]
                         : distance_of_count (METRIC, ((const int32_t *) p.from)[at], p.column_step);
}

template <distance_metric METRIC>
__global__ static void
__launch_bounds__ (THREADS) nearest_kernel (distance_map m, distance_pass p)
{
  int64_t plane, y, x;
  if (!m.position (m.in.rows, &plane, &y, &x))
    return;
  int64_t i = p.across_planes ? plane : x, at = (plane * m.in.rows + y) * m.in.columns + x;
  int64_t longest = max (i, p.n - 1 - i);
  double cost = cost_before<METRIC> (p, at);
  for (int64_t k = 1; k <= longest; k++) {
    double away = (double) k * p.step;
    if (distance_cost (METRIC, 0, away) >= cost)
      break;
    if (k <= i)
      cost = fmin (cost, distance_cost (METRIC, cost_before<METRIC> (p, at - k * p.stride), away));
    if (k < p.n - i)
      cost = fmin (cost, distance_cost (METRIC, cost_before<METRIC> (p, at + k * p.stride), away));
  }
  p.to.row (plane, y)[x] = p.last ? distance_root (METRIC, cost) : (float) cost;
}

/* ---- Host ---- */

static fv_status
launch_axis (const fv_call *call, const distance_map &m, const distance_pass &p, fv_error *error)
{
  unsigned blocks = (unsigned) (m.in.planes * m.in.rows * m.across);
  switch (((const distance_args *) call->args)->metric) {
  case DISTANCE_EUCLIDEAN: nearest_kernel<DISTANCE_EUCLIDEAN><<<blocks, THREADS, 0, cuda_stream (call)>>> (m, p); break;
  case DISTANCE_CITY: nearest_kernel<DISTANCE_CITY><<<blocks, THREADS, 0, cuda_stream (call)>>> (m, p); break;
  default: nearest_kernel<DISTANCE_CHESSBOARD><<<blocks, THREADS, 0, cuda_stream (call)>>> (m, p);
  }
  return cuda_status (cudaGetLastError (), "The distance map", error);
}

extern "C" fv_status
distance_cuda (const fv_call *call, fv_error *error)
{
  const distance_args *a = (const distance_args *) call->args;
  distance_map m;
  int32_t *counts;
  float *costs = NULL;
  double step[3];
  distance_steps (a, call->inputs[0]->grid, step);
  view<const uint8_t> in = view_of<const uint8_t> (call->inputs[0]);
  int64_t plane = in.rows * in.columns, pixels = in.planes * plane;
  fv_status status = cuda_scratch (call, (size_t) pixels, &counts, error);
  if (!status && a->volume)
    status = cuda_scratch (call, (size_t) pixels, &costs, error);
  if (status)
    return status;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  if ((status = map_columns (call, in, &m, error)))
    return status;
  view<float> out = view_of<float> (call->outputs[0]);
  view<float> between = {costs, in.planes, in.rows, in.columns, plane, in.columns};
  distance_pass rows = {counts, a->volume ? between : out, 1, in.columns, step[2], step[1], false, !a->volume};
  distance_pass planes = {costs, out, plane, in.planes, step[0], step[1], true, true};
  columns_kernel<<<(unsigned) (in.planes * in.rows * m.across), THREADS, 0, cuda_stream (call)>>> (m, counts);
  status = launch_axis (call, m, rows, error);
  return status || !a->volume ? status : launch_axis (call, m, planes, error);
}
