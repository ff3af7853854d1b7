/* SPDX-License-Identifier: MIT
 *
 * Label images from objects whose labels become others, on the GPU: lanes for each run, which write its pixels. All is cleared before.
 */
#ifndef KERNELS_OBJECTS_OBJECT_PAINT_CUH
#define KERNELS_OBJECTS_OBJECT_PAINT_CUH

#include "kernels/regions/region_runs.cuh"

struct object_painter {
  region_set s;
  view<int32_t> out;
  const int32_t *to;

  template <typename TEAM> __device__ void operator() (TEAM &t, int64_t i) const
  {
    const run r = s.runs[i];
    int32_t *row = out.row (r.z, r.y);
    for (int32_t x = r.x0 + t.rank; x < r.x1; x += TEAM::size)
      row[x] = to[s.owner[i]];
  }
};

/* out: to[i], which is on the device, on the pixels of object i, else 0. */
static inline fv_status
object_paint_there (const fv_call *call, const region_set *s, const int32_t *to, const fv_array *out, fv_error *error)
{
  const view<int32_t> pixels = view_of<int32_t> (out);
  const size_t pixel = sizeof *to;
  fv_status status = FV_OK;
  for (int64_t z = 0; z < pixels.planes && !status; z++)
    status = cuda_status (cudaMemset2DAsync (pixels.row (z, 0), (size_t) pixels.row_stride * pixel, 0,
                                             (size_t) pixels.columns * pixel, (size_t) pixels.rows, cuda_stream (call)),
                          "Clearing the labels", error);
  return status || !s->n ? status : for_each_run (call, s, object_painter{*s, pixels, to}, error);
}

/* The same of to[i] in host memory. */
static inline fv_status
object_paint_cuda (const fv_call *call, const region_set *s, const int32_t *to, const fv_array *out, fv_error *error)
{
  const size_t bytes = (size_t) s->n * sizeof *to;
  int32_t *there = NULL;
  fv_status status = s->n ? cuda_scratch (call, (size_t) s->n, &there, error) : FV_OK;
  if (!status && s->n)
    status = call->device->copy (call->device, call->stream, there, bytes, to, bytes, bytes, 1, FV_TO_DEVICE, error);
  return status ? status : object_paint_there (call, s, there, out, error);
}

#endif
