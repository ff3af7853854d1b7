/* SPDX-License-Identifier: MIT
 *
 * equalize on the GPU: range (not for u8 and u16), counts (histogram_count.cuh), the shares of bins by one block, and a pass over the pixels. All run
 * on the stream of the call; the host waits for none. Each pixel is read three times, or twice, and written once.
 */
#include "kernels/common/histogram_count.cuh"
#include "kernels/common/rows.cuh"
#include "kernels/contrast/equalize.h"
#include "kernels/contrast/linear.h"

enum { EQUALIZE_THREADS = 1024 };

struct equalize_job {
  counts_of counts;
  gpu_bins *bins;
  equalize_table *table;
  double *centers, *shares, full;
};

/* One block of 1024; thread i has the bins from i * each on. Two barriers. */
template <typename T>
__global__ static void
__launch_bounds__ (EQUALIZE_THREADS) equalize_table_kernel (equalize_job job)
{
  typedef bin_real<T> R;
  __shared__ uint64_t sums[EQUALIZE_THREADS];
  const gpu_bins g = *job.bins;
  const int64_t bins = g.bins > 1 ? g.bins : 1, each = (bins + EQUALIZE_THREADS - 1) / EQUALIZE_THREADS;
  const int64_t begin = (int64_t) threadIdx.x * each, end = begin + each < bins ? begin + each : bins;
  uint64_t sum = 0, before = 0, total = 0;
  for (int64_t i = begin; i < end; i++)
    sum += job.counts.get (0, i);
  sums[threadIdx.x] = sum;
  __syncthreads ();
  for (int i = 0; i < EQUALIZE_THREADS; i++) {
    before += i < (int) threadIdx.x ? sums[i] : 0;
    total += sums[i];
  }
  for (int64_t i = begin; i < end; i++) {
    before += job.counts.get (0, i);
    job.shares[i] = bins > 1 ? (double) before / (double) total : 1;
    if (!g.exact) {
      const double edges = gpu_edge<R> (g, i) + gpu_edge<R> (g, i + 1);
      job.centers[i] = (sizeof (R) == 4 ? (double) (float) edges : edges) / 2;
    }
  }
  if (threadIdx.x == 0)
    *job.table = {g.exact, g.low, g.scale, bins, job.centers, job.shares, job.full};
}

/* ---- The host's side ---- */

template <typename T>
static int64_t
equalize_capacity (const equalize_args *a)
{
  const int64_t bins = (a->bins + 3) / 4 * 4;
  return sizeof (T) == 1                                        ? 256
         : sizeof (T) == 2                                      ? 65536
         : !std::is_integral<T>::value || bins > EQUALIZE_LIMIT ? bins
                                                                : (int64_t) EQUALIZE_LIMIT;
}

/* Counts in shared memory: at most 256 bins, or more as far as there is room. */
template <typename T>
static fv_status
equalize_count (const fv_call *call, counting_job<T> job, fv_error *error)
{
  constexpr bool integer = std::is_integral<T>::value;
  const cudaStream_t stream = cuda_stream (call);
  cudaError_t code = cudaSuccess;
  if constexpr (sizeof (T) == 1 || !integer)
    if (integer || job.bins <= 256) {
      const int64_t parts = blocks_for (pieces_of<T, few_deep<T>> (job.pixels), FEW_WARPS),
                    most = 3 * multiprocessors ();
      job.parts = (int) (parts < 1 ? 1 : parts < most ? parts : most);
      code = allow_shared ((const void *) few_kernel<T>);
      if (!code)
        few_kernel<T><<<(unsigned) job.parts, FEW_THREADS, FEW_BYTES, stream>>> (job);
      return cuda_status (code ? code : cudaGetLastError (), "Counting", error);
    }
  if constexpr (sizeof (T) > 1) {
    cudaFuncAttributes has;
    const int64_t parts = blocks_for (pieces_of<T, many_deep<T>> (job.pixels), MANY_WARPS), most = multiprocessors ();
    job.parts = (int) (parts < 1 ? 1 : parts < most ? parts : most);
    code = allow_shared ((const void *) many_kernel<T>);
    if (!code)
      code = cudaFuncGetAttributes (&has, many_kernel<T>);
    size_t room = code ? 0 : (size_t) has.maxDynamicSharedSizeBytes / 16 * 16,
           want = (size_t) (job.counts.capacity + 16) * 2;
    want = integer ? 65536 * 2 : want;
    job.room = (int64_t) (want <= room ? want : room) / 2 - 8;
    if (integer && want <= room)
      job.room = 65536;
    if (!code)
      many_kernel<T><<<(unsigned) job.parts, MANY_THREADS, want <= room ? want : room, stream>>> (job);
  }
  return cuda_status (code ? code : cudaGetLastError (), "Counting", error);
}

template <typename T>
static fv_status
equalize_make_table (const fv_call *call, const equalize_job *job, void *extents, int64_t first, int64_t together,
                     fv_error *error)
{
  const equalize_args *a = (const equalize_args *) call->args;
  const lines<T> l = lines_of<T> (call->inputs[0], first, 1, together);
  const int parts = range_parts (l);
  const cudaStream_t stream = cuda_stream (call);
  counting_job<T> count = {};
  count.pixels = l;
  count.extents = (const extent<T> *) extents;
  count.extent_parts = parts;
  count.bins = a->bins;
  count.limit = EQUALIZE_LIMIT;
  count.keep = job->bins;
  count.counts = job->counts;
  cudaMemsetAsync (job->counts.data, 0, (size_t) job->counts.capacity * (job->counts.wide ? 8 : 4), stream);
  if (sizeof (T) >= 4)
    range_kernel<T><<<(unsigned) parts, RANGE_THREADS, 0, stream>>> (l, parts, (extent<T> *) extents, NULL, 0);
  if (equalize_count (call, count, error))
    return error->code;
  equalize_table_kernel<T><<<1, EQUALIZE_THREADS, 0, stream>>> (*job);
  return cuda_status (cudaGetLastError (), "Summing the histogram", error);
}

static fv_status
equalize_write (const fv_call *call, const equalize_table *table, int64_t first, int64_t together, fv_error *error)
{
  auto map = [table] __device__ (const auto &in, const auto &out, int64_t plane, int64_t y) {
    auto *from = in.row (plane, y);
    auto *to = out.row (plane, y);
    return [from, to, t = *table] (int64_t x) { set_pixel (to[x], equalize_value ((double) from[x], &t)); };
  };
  rows_over<to_same_or_float> (call, call->inputs[0], call->outputs[0], first, together, map);
  return cuda_status (cudaGetLastError (), "Equalizing", error);
}

template <typename T>
static fv_status
equalize_run (const fv_call *call, fv_error *error)
{
  const equalize_args *a = (const equalize_args *) call->args;
  const fv_array *in = call->inputs[0];
  const int64_t planes = array_planes (in), together = a->over == LINEAR_PLANE ? 1 : planes;
  const double pixels = (double) together * (double) array_rows (in) * (double) array_columns (in);
  equalize_job job = {{NULL, equalize_capacity<T> (a), pixels >= 4294967296.0},
                      NULL,
                      NULL,
                      NULL,
                      NULL,
                      full_of (call->outputs[0]->grid->type)};
  const size_t capacity = (size_t) job.counts.capacity;
  extent<T> *extents;
  if (cuda_scratch (call, capacity, (uint64_t **) &job.counts.data, error) || cuda_scratch (call, 1, &job.bins, error)
      || cuda_scratch (call, 1, &job.table, error) || cuda_scratch (call, capacity, &job.centers, error)
      || cuda_scratch (call, capacity, &job.shares, error) || cuda_scratch (call, MOST_PARTS, &extents, error))
    return error->code;
  for (int64_t first = 0; first < planes; first += together) {
    if (call->host->tick (call, first, planes))
      return cancelled (error);
    if (equalize_make_table<T> (call, &job, extents, first, together, error)
        || equalize_write (call, job.table, first, together, error))
      return error->code;
  }
  return FV_OK;
}

extern "C" fv_status
equalize_cuda (const fv_call *call, fv_error *error)
{
  return with_type (call->inputs[0]->grid->type,
                    [&] (auto zero) { return equalize_run<decltype (zero)> (call, error); });
}
