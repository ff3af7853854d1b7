/* SPDX-License-Identifier: MIT
 *
 * bleach on the GPU. Factors: sums by pixel_sums.cuh, which the host reads, 16 bytes a part; then a pass over the pixels. Histograms: for
 * each part one pass that counts, by blocks of 256 (8-bit in shared memory, two barriers), and one block that adds the counts up. Then a
 * table, and a pass over the pixels; none is waited for. Each pixel is read twice and written once.
 */
#include "kernels/common/rows.cuh"
#include "kernels/fields/bleach.h"
#include "kernels/measure/pixel_sums.cuh"

enum { BLEACH_THREADS = 256, BLEACH_ADDERS = 1024, BLEACH_LEVELS = 65536 };

/* ---- Factors ---- */

struct bleach_job {
  stack_view pixels;
  int64_t problems, lines, columns, rows, depth;
  bleach_sum *sums;

  __device__ bool skip (int64_t) const
  {
    return false;
  }
  __device__ __forceinline__ fetched_row row (int64_t part, int64_t line) const
  {
    return {stack_offset (&pixels, part * depth + line / rows, line % rows, 0), 0, 0};
  }
  __device__ __forceinline__ void fetch (const fetched_row &row, int64_t x, int n, fetched_pixel (&to)[SUMS_DEEP]) const
  {
    double v[SUMS_DEEP];
    stack_fetch (pixels, row.a + x, n, v);
#pragma unroll
    for (int k = 0; k < SUMS_DEEP; k++)
      to[k] = {v[k], 0, 1};
  }
  __device__ __forceinline__ void add (int64_t, const fetched_pixel &p, pixel_sums *to) const
  {
    const double v = p.a;
    if (fabs (v) <= DBL_MAX) {
      to->v[0] += 1;
      to->v[1] += v;
    }
  }
  __device__ void after (int64_t part, const pixel_sums &s) const
  {
    sums[part] = {s.v[0], s.v[1]};
  }
};

static fv_status
bleach_sums_cuda (const fv_call *call, const bleach_plan *plan, bleach_sum *sums, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  const int64_t parts = plan->frames * plan->groups, rows = array_rows (in);
  bleach_job job = {{in->tensor.data, in->grid->type, in->tensor.strides[0], in->tensor.strides[1]},
                    parts,
                    plan->depth * rows,
                    array_columns (in),
                    rows,
                    plan->depth,
                    NULL};
  pixel_sums *partial;
  if (pixel_sums_room (call, job, &partial, error) || cuda_scratch (call, (size_t) parts, &job.sums, error)
      || pixel_sums_run (call, job, partial, error))
    return error->code;
  return call->host->read (call, sums, job.sums, (size_t) parts * sizeof *sums, error);
}

static fv_status
bleach_scale_cuda (const fv_call *call, const bleach_plan *plan, fv_error *error)
{
  const bleach_args *a = (const bleach_args *) call->args;
  const fv_array *in = call->inputs[0];
  const size_t parts = (size_t) (plan->frames * plan->groups), bytes = parts * sizeof (double);
  void *sums, *frames, *factors;
  double *sent;
  if (call->host->host_scratch (call, parts * sizeof (bleach_sum), &sums, error)
      || call->host->host_scratch (call, (size_t) plan->frames * sizeof (double), &frames, error)
      || call->host->host_scratch (call, bytes, &factors, error) || cuda_scratch (call, parts, &sent, error)
      || bleach_sums_cuda (call, plan, (bleach_sum *) sums, error))
    return error->code;
  bleach_factors (a, plan, (const bleach_sum *) sums, (double *) frames, (double *) factors);
  if (call->device->copy (call->device, call->stream, sent, bytes, factors, bytes, bytes, 1, FV_TO_DEVICE, error))
    return error->code;
  auto scale = [depth = plan->depth, background = a->background, sent] __device__ (const auto &v, const auto &out,
                                                                                   int64_t plane, int64_t y) {
    return [background, factor = sent[plane / depth], from = v.row (plane, y), to = out.row (plane, y)] (int64_t x) {
      set_pixel (to[x], ((double) from[x] - background) * factor);
    };
  };
  return rows_between<to_same> (call, in, call->outputs[0], scale, "Correcting brightness", error);
}

/* ---- Histograms ---- */

/* Of some planes, added to what is there. */
template <typename T>
__global__ static void
__launch_bounds__ (BLEACH_THREADS) bleach_count_kernel (view<const T> in, int64_t *counts)
{
  __shared__ unsigned own[256];
  if (sizeof (T) == 1) {
    own[threadIdx.x] = 0;
    __syncthreads ();
  }
  for (int64_t line = blockIdx.x; line < in.planes * in.rows; line += gridDim.x) {
    const T *from = in.row (line / in.rows, line % in.rows);
    for (int64_t x = threadIdx.x; x < in.columns; x += BLEACH_THREADS)
      if (sizeof (T) == 1)
        atomicAdd (&own[from[x]], 1u);
      else
        atomicAdd ((unsigned long long *) &counts[from[x]], 1ull);
  }
  if (sizeof (T) == 1) {
    __syncthreads ();
    atomicAdd ((unsigned long long *) &counts[threadIdx.x], (unsigned long long) own[threadIdx.x]);
  }
}

/* One block of 1024; thread i has the levels from i * each on. Makes sums of counts. Two barriers. */
__global__ static void
__launch_bounds__ (BLEACH_ADDERS) bleach_add_kernel (int64_t *counts, int64_t levels)
{
  __shared__ int64_t sums[BLEACH_ADDERS];
  const int64_t each = (levels + BLEACH_ADDERS - 1) / BLEACH_ADDERS, begin = (int64_t) threadIdx.x * each;
  int64_t sum = 0, before = 0;
  for (int64_t i = begin; i < begin + each && i < levels; i++)
    sum += counts[i];
  sums[threadIdx.x] = sum;
  __syncthreads ();
  for (int i = 0; i < (int) threadIdx.x; i++)
    before += sums[i];
  __syncthreads ();
  for (int64_t i = begin; i < begin + each && i < levels; i++)
    counts[i] = before += counts[i];
}

template <typename T>
__global__ static void
__launch_bounds__ (BLEACH_THREADS)
  bleach_table_kernel (const int64_t *first, const int64_t *upto, int64_t levels, T *table)
{
  const int64_t v = (int64_t) blockIdx.x * BLEACH_THREADS + threadIdx.x;
  if (v < levels)
    table[v] = (T) rint (bleach_matched (first, levels, upto[v]));
}

template <typename T>
static fv_status
bleach_count (const fv_call *call, const view<const T> &in, int64_t *upto, fv_error *error)
{
  const int64_t levels = sizeof (T) == 1 ? 256 : BLEACH_LEVELS;
  cudaMemsetAsync (upto, 0, (size_t) levels * sizeof *upto, cuda_stream (call));
  bleach_count_kernel<T><<<rows_blocks (in.planes * in.rows), BLEACH_THREADS, 0, cuda_stream (call)>>> (in, upto);
  bleach_add_kernel<<<1, BLEACH_ADDERS, 0, cuda_stream (call)>>> (upto, levels);
  return cuda_status (cudaGetLastError (), "Counting", error);
}

template <typename T>
static fv_status
bleach_match_cuda (const fv_call *call, const bleach_plan *plan, fv_error *error)
{
  const int64_t levels = sizeof (T) == 1 ? 256 : BLEACH_LEVELS, parts = plan->frames * plan->groups;
  int64_t *first, *upto;
  T *table;
  if (cuda_scratch (call, (size_t) (plan->groups * levels), &first, error)
      || cuda_scratch (call, (size_t) levels, &upto, error) || cuda_scratch (call, (size_t) levels, &table, error))
    return error->code;
  for (int64_t part = 0; part < parts; part++) {
    const view<const T> in = view_of_planes<const T> (call->inputs[0], part * plan->depth, plan->depth);
    int64_t *its_first = first + part % plan->groups * levels, *counts = part < plan->groups ? its_first : upto;
    if (call->host->tick (call, part, parts))
      return cancelled (error);
    if (bleach_count<T> (call, in, counts, error))
      return error->code;
    bleach_table_kernel<T><<<(unsigned) blocks_for (levels, BLEACH_THREADS), BLEACH_THREADS, 0, cuda_stream (call)>>> (
      its_first, counts, levels, table);
    const view<T> out = view_of_planes<T> (call->outputs[0], part * plan->depth, plan->depth);
    rows_launch (call, out, [=] __device__ (int64_t plane, int64_t y) {
      return [table, from = in.row (plane, y), to = out.row (plane, y)] (int64_t x) { to[x] = table[from[x]]; };
    });
  }
  return cuda_status (cudaGetLastError (), "Matching histograms", error);
}

extern "C" fv_status
bleach_cuda (const fv_call *call, fv_error *error)
{
  const bleach_args *a = (const bleach_args *) call->args;
  const bleach_plan plan = bleach_plan_of (a, call->inputs[0]->grid);
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  if (a->method != BLEACH_HISTOGRAM)
    return bleach_scale_cuda (call, &plan, error);
  return call->inputs[0]->grid->type == FV_U8 ? bleach_match_cuda<uint8_t> (call, &plan, error)
                                              : bleach_match_cuda<uint16_t> (call, &plan, error);
}
