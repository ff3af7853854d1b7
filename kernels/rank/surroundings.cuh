/* SPDX-License-Identifier: MIT
 *
 * surroundings: a copy of the image with all around it that the footprint reaches, so that what goes over it knows no border, and the
 * footprint as runs of places in that copy.
 *
 * surround: 256 threads a block; a pixel read, one written, 2 to 16 bytes together. Nothing waits.
 */
#ifndef KERNELS_RANK_SURROUNDINGS_CUH
#define KERNELS_RANK_SURROUNDINGS_CUH

#include "kernels/common/common.cuh"
#include "kernels/rank/neighbourhood.h"

/* `length` pixels from a pixel's own place + `at` on. */
struct surroundings_run {
  int64_t at;
  int32_t length;
};

template <typename K> struct surroundings {
  const K *data; /* pixel (z, y, x) has the place z * plane + y * row + x */
  int64_t plane, row;
  const surroundings_run *runs;
  int64_t n_runs;
};

template <typename T> struct surround_job {
  view<const T> in;
  T outside;
  border edge;
  int64_t planes, rows, columns; /* of the copy */
  int32_t low[3];
};

/* KEY makes of a pixel what is kept of it. */
template <typename T, typename K, typename KEY>
__global__ static void __launch_bounds__ (256) surround (const __grid_constant__ surround_job<T> j, K *to, KEY key)
{
  int64_t n = j.planes * j.rows * j.columns;
  for (int64_t i = (int64_t) blockIdx.x * 256 + threadIdx.x; i < n; i += (int64_t) gridDim.x * 256) {
    int64_t line = i / j.columns, z = line / j.rows;
    int64_t x = border_index (i - line * j.columns + j.low[2], j.in.columns, j.edge);
    int64_t y = border_index (line - z * j.rows + j.low[1], j.in.rows, j.edge);
    z = border_index (z + j.low[0], j.in.planes, j.edge);
    to[i] = key (x < 0 || y < 0 || z < 0 ? j.outside : j.in.row (z, y)[x]);
  }
}

/* Sends the footprint as places in the copy. */
template <typename K>
static fv_status
send_runs (const fv_call *call, const int32_t low[3], surroundings<K> *s, fv_error *error)
{
  const neighbourhood_args *a = (const neighbourhood_args *) call->args;
  neighbourhood_run *runs;
  surroundings_run *places, *sent;
  s->n_runs = neighbourhood_runs (a, NULL);
  size_t n = (size_t) s->n_runs, bytes = n * sizeof *places;
  if (call->host->host_scratch (call, n * sizeof *runs, (void **) &runs, error)
      || call->host->host_scratch (call, bytes, (void **) &places, error) || cuda_scratch (call, n, &sent, error))
    return error->code;
  neighbourhood_runs (a, runs);
  for (size_t i = 0; i < n; i++) {
    const neighbourhood_run r = runs[i];
    places[i] = {(r.dz - low[0]) * s->plane + (r.dy - low[1]) * s->row + r.first - low[2], r.last - r.first + 1};
  }
  s->runs = sent;
  return call->device->copy (call->device, call->stream, sent, bytes, places, bytes, bytes, 1, FV_TO_DEVICE, error);
}

static inline unsigned
surroundings_blocks (int64_t pixels)
{
  int64_t blocks = blocks_for (pixels, 256), most = 32 * (int64_t) multiprocessors ();
  return (unsigned) (blocks < most ? blocks : most);
}

template <typename T, typename K, typename KEY>
static fv_status
make_surroundings (const fv_call *call, surroundings<K> *s, KEY key, fv_error *error)
{
  const neighbourhood_args *a = (const neighbourhood_args *) call->args;
  footprint_spec spec = neighbourhood_spec (a);
  surround_job<T> j = {view_of<const T> (call->inputs[0]), T (), (border) a->border};
  int32_t high[3];
  K *to;
  footprint_reach (&spec, j.low, high);
  neighbourhood_outside (a, call->inputs[0]->grid->type, &j.outside);
  j.planes = j.in.planes + high[0] - j.low[0];
  j.rows = j.in.rows + high[1] - j.low[1];
  j.columns = j.in.columns + high[2] - j.low[2];
  s->row = j.columns;
  s->plane = j.rows * j.columns;
  if (cuda_scratch (call, (size_t) (j.planes * s->plane), &to, error) || send_runs (call, j.low, s, error))
    return error->code;
  s->data = to;
  surround<T, K, KEY><<<surroundings_blocks (j.planes * s->plane), 256, 0, cuda_stream (call)>>> (j, to, key);
  return cuda_status (cudaGetLastError (), "Copying the image with its surroundings", error);
}

#endif
