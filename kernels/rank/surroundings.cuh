/* SPDX-License-Identifier: MIT
 *
 * surroundings: a copy of the image with all around it that the footprint reaches, so that what goes over it knows no border, and the
 * footprint as runs of indices in that copy.
 *
 * surround: 256 threads a block, four pixels of a row each; a pixel read, one written, 2 to 16 bytes together. Nothing waits.
 */
#ifndef KERNELS_RANK_SURROUNDINGS_CUH
#define KERNELS_RANK_SURROUNDINGS_CUH

#include "kernels/common/common.cuh"
#include "kernels/rank/neighborhood.h"

template <typename K> struct surroundings {
  const K *data; /* pixel (z, y, x) has the index z * plane + y * row + x; rows begin at multiples of 8 pixels */
  int64_t plane, row, planes, rows, columns;
  int32_t low[3]; /* what pixel (0, 0, 0) of the image lies from the first of the copy, negative */
};

/* `length` pixels from a pixel's own index + `at` on. */
struct surroundings_run {
  int64_t at;
  int32_t length;
};

struct surroundings_runs {
  const surroundings_run *run;
  int64_t n;
};

/* An image and what is outside it. */
template <typename T> struct bordered {
  view<const T> in;
  T outside;
  border edge;

  /* The index that replaces i among n, or -1: the constant. */
  __device__ __forceinline__ int64_t source_index (int64_t i, int64_t n) const
  {
    return border_index (i, n, edge);
  }
  __device__ __forceinline__ T pixel (int64_t z, int64_t y, int64_t x) const
  {
    return x < 0 || y < 0 || z < 0 ? outside : in.row (z, y)[x];
  }
};

template <typename T>
static bordered<T>
bordered_input (const fv_call *call)
{
  const neighborhood_args *a = (const neighborhood_args *) call->args;
  bordered<T> b = {view_of<const T> (call->inputs[0]), T (), (border) a->border};
  neighborhood_outside (a, call->inputs[0]->grid->type, &b.outside);
  return b;
}

template <typename T, typename K> struct surround_job {
  bordered<T> image;
  surroundings<K> s;
};

/* KEY makes of a pixel what is kept of it. */
template <typename T, typename K, typename KEY>
__global__ static void __launch_bounds__ (256) surround (const __grid_constant__ surround_job<T, K> j, K *data, KEY key)
{
  for (int64_t line_z = blockIdx.z; line_z < j.s.planes; line_z += gridDim.z)
    for (int64_t line_y = blockIdx.y; line_y < j.s.rows; line_y += gridDim.y) {
      int64_t z = j.image.source_index (line_z + j.s.low[0], j.image.in.planes);
      int64_t y = j.image.source_index (line_y + j.s.low[1], j.image.in.rows);
      K *to = data + line_z * j.s.plane + line_y * j.s.row;
#pragma unroll
      for (int i = 0; i < 4; i++) {
        int64_t at = (int64_t) blockIdx.x * 1024 + i * 256 + threadIdx.x;
        if (at >= j.s.columns)
          break;
        to[at] = key (j.image.pixel (z, y, j.image.source_index (at + j.s.low[2], j.image.in.columns)));
      }
    }
}

template <typename T, typename K, typename KEY>
static fv_status
make_surroundings (const fv_call *call, surroundings<K> *s, KEY key, fv_error *error)
{
  const neighborhood_args *a = (const neighborhood_args *) call->args;
  footprint_spec spec = neighborhood_spec (a);
  surround_job<T, K> j = {bordered_input<T> (call), {}};
  int32_t high[3];
  K *data;
  footprint_reach (&spec, s->low, high);
  s->planes = j.image.in.planes + high[0] - s->low[0];
  s->rows = j.image.in.rows + high[1] - s->low[1];
  s->columns = j.image.in.columns + high[2] - s->low[2];
  s->row = (s->columns + 7) / 8 * 8;
  s->plane = s->rows * s->row;
  if (cuda_scratch (call, (size_t) (s->planes * s->plane), &data, error))
    return error->code;
  s->data = data;
  j.s = *s;
  surround<T, K, KEY>
    <<<grid_of_rows (s->planes, s->rows, blocks_for (s->columns, 1024)), 256, 0, cuda_stream (call)>>> (j, data, key);
  return cuda_status (cudaGetLastError (), "Copying the image with its surroundings", error);
}

/* Sends numbers to the device; they are on the way when this returns. */
template <typename N>
static fv_status
send_numbers (const fv_call *call, const N *numbers, size_t n, const N **sent, fv_error *error)
{
  N *to;
  size_t bytes = n * sizeof *numbers;
  if (cuda_scratch (call, n, &to, error))
    return error->code;
  *sent = to;
  return call->device->copy (call->device, call->stream, to, bytes, numbers, bytes, bytes, 1, FV_TO_DEVICE, error);
}

/* Where a run of the footprint begins. */
template <typename K>
static int64_t
surroundings_at (const surroundings<K> *s, const neighborhood_run &r)
{
  return (r.dz - s->low[0]) * s->plane + (r.dy - s->low[1]) * s->row + r.first - s->low[2];
}

/* The footprint as runs in the copy. */
template <typename K>
static fv_status
send_runs (const fv_call *call, const surroundings<K> *s, surroundings_runs *to, fv_error *error)
{
  const neighborhood_args *a = (const neighborhood_args *) call->args;
  neighborhood_run *runs;
  surroundings_run *offsets;
  size_t n = (size_t) neighborhood_runs (a, NULL);
  if (call->host->host_scratch (call, n * sizeof *runs, (void **) &runs, error)
      || call->host->host_scratch (call, n * sizeof *offsets, (void **) &offsets, error))
    return error->code;
  neighborhood_runs (a, runs);
  for (size_t i = 0; i < n; i++) {
    offsets[i] = {surroundings_at (s, runs[i]), runs[i].last - runs[i].first + 1};
  }
  to->n = (int64_t) n;
  return send_numbers (call, offsets, n, &to->run, error);
}

#endif
