/* SPDX-License-Identifier: MIT
 *
 *   visit_steps   lanes for each run, a pixel each: looks for its neighbors among the object's runs. First they are counted (4 bytes written a
 *                 pixel), then written (5 bytes a step).
 * Between them CUB's scan, which numbers pixels, too. Waits for the device once, for the number of steps.
 */
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "kernels/skeletons/skeleton_graph.cuh"

struct run_pixels {
  const run *runs;
  int32_t n;

  __host__ __device__ int32_t operator() (int32_t i) const
  {
    return i < n ? runs[i].x1 - runs[i].x0 : 0;
  }
};

template <bool WRITE> struct visit_steps {
  region_set s;
  const int32_t *offset;
  bool volume;
  int32_t *first; /* where not WRITE how many */
  int32_t *to;
  uint8_t *kind;

  /* The first run of k ... end - 1 that is in a row and does not end before x, or is in a later row. */
  __device__ int64_t run_from (int64_t k, int64_t end, int32_t z, int32_t y, int32_t x) const
  {
    while (k < end) {
      const int64_t middle = (k + end) / 2;
      const run r = s.runs[middle];
      if (r.z < z || (r.z == z && (r.y < y || (r.y == y && r.x1 <= x))))
        k = middle + 1;
      else
        end = middle;
    }
    return k;
  }

  /* The pixels beside x in a row of the object's, from run k on; returns the step after them. */
  __device__ int32_t visit_row (int64_t k, int64_t end, int32_t z, int32_t y, int32_t x, const run &own,
                                int32_t step) const
  {
    const int axes = (z != own.z ? 4 : 0) + (y != own.y ? 2 : 0);
    for (; k < end; k++) {
      const run r = s.runs[k];
      if (r.z != z || r.y != y || r.x0 > x + 1)
        break;
      for (int32_t i = max (r.x0, x - 1); i < r.x1 && i <= x + 1; i++) {
        if (!axes && i == x)
          continue;
        if (WRITE) {
          to[step] = offset[k] + i - r.x0;
          kind[step] = (uint8_t) (axes + (i != x));
        }
        step++;
      }
    }
    return step;
  }

  template <typename TEAM> __device__ void operator() (TEAM &t, int64_t i) const
  {
    const run own = s.runs[i];
    const int64_t begin = s.first[s.owner[i]], end = region_end (s, s.owner[i]);
    const int32_t deep = volume ? 1 : 0;
    for (int32_t x = own.x0 + t.rank; x < own.x1; x += TEAM::size) {
      const int32_t pixel = offset[i] + x - own.x0;
      int32_t step = WRITE ? first[pixel] : 0;
      for (int32_t z = own.z - deep; z <= own.z + deep; z++)
        for (int32_t y = own.y - 1; y <= own.y + 1; y++)
          step = visit_row (run_from (begin, end, z, y, x - 1), end, z, y, x, own, step);
      if (!WRITE)
        first[pixel] = step;
    }
  }
};

/* From the numbers of neighbors to the first steps, and how many steps there are. */
static fv_status
number_steps (const fv_call *call, int32_t *first, int64_t pixels, int32_t *steps, fv_error *error)
{
  cudaStream_t stream = cuda_stream (call);
  size_t bytes = 0;
  char *temporary;
  cub::DeviceScan::ExclusiveSum (nullptr, bytes, first, first, pixels + 1, stream);
  fv_status status = cuda_scratch (call, bytes, &temporary, error);
  if (status)
    return status;
  cudaError_t code = cudaMemsetAsync (first + pixels, 0, sizeof *first, stream);
  if (!code)
    code = cub::DeviceScan::ExclusiveSum (temporary, bytes, first, first, pixels + 1, stream);
  status = cuda_status (code, "Counting neighbors", error);
  return status ? status : call->host->read (call, steps, first + pixels, sizeof *steps, error);
}

static fv_status
number_pixels (const fv_call *call, const region_set *s, int32_t **offset, fv_error *error)
{
  cudaStream_t stream = cuda_stream (call);
  const auto lengths =
    thrust::make_transform_iterator (thrust::counting_iterator<int32_t> (0), run_pixels{s->runs, (int32_t) s->n_runs});
  size_t bytes = 0;
  char *temporary;
  cub::DeviceScan::ExclusiveSum (nullptr, bytes, lengths, *offset, s->n_runs + 1, stream);
  fv_status status = cuda_scratch (call, (size_t) s->n_runs + 1, offset, error);
  if (!status)
    status = cuda_scratch (call, bytes, &temporary, error);
  return status
           ? status
           : cuda_status (cub::DeviceScan::ExclusiveSum (temporary, bytes, lengths, *offset, s->n_runs + 1, stream),
                          "Counting pixels", error);
}

fv_status
skeleton_graph_make (const fv_call *call, const region_set *s, bool volume, skeleton_graph *g, fv_error *error)
{
  int32_t *offset = NULL, *first = NULL, *to = NULL, steps = 0;
  uint8_t *kind = NULL;
  fv_status status = number_pixels (call, s, &offset, error);
  if (!status)
    status = cuda_scratch (call, (size_t) s->pixels + 1, &first, error);
  if (!status)
    status = for_each_run (call, s, visit_steps<false>{*s, offset, volume, first, NULL, NULL}, error);
  if (!status)
    status = number_steps (call, first, s->pixels, &steps, error);
  if (!status)
    status = cuda_scratch (call, (size_t) steps, &to, error);
  if (!status)
    status = cuda_scratch (call, (size_t) steps, &kind, error);
  *g = {*s, offset, first, to, kind};
  return status ? status : for_each_run (call, s, visit_steps<true>{*s, offset, volume, first, to, kind}, error);
}
