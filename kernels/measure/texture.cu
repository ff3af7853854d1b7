/* SPDX-License-Identifier: MIT
 *
 * texture on the GPU:
 * - The ends of each channel (histogram.cu).
 * - levels: a thread for four-byte-apart pixels of a line; reads a pixel, writes a byte.
 * - pairs, for as many objects at once as there is room for matrices: blocks of 256 for each object and angle, a warp for each run in turn. It counts
 *   in shared memory, then adds to the matrix of the object.
 * - features: a block for each object.
 * Counts are integers.
 * Synchronizations: those of the runs of labels, planes and labels of the objects, and their features.
 */
#include "kernels/common/blocks.cuh"
#include "kernels/common/row.cuh"
#include "kernels/regions/region_runs.cuh"
#include "kernels/measure/texture.h"

typedef unsigned long long texture_count;

enum { TEXTURE_THREADS = 256, TEXTURE_MATRICES = 64 << 20 /* bytes */, TEXTURE_BATCH = 1 << 15 };

struct texture_job {
  region_set s; /* runs NULL: an object is a plane, with a run in each row */
  view<const int32_t> labels;
  stack_view pixels; /* of all channels */
  texture_steps steps;
  int64_t planes, depth, rows, columns; /* planes: of all channels */
  int32_t levels;
  const histogram_range *ranges;             /* [channels] */
  uint8_t *level;                            /* [planes][rows][columns] */
  texture_count *matrices;                   /* [batch][steps.n][levels][levels] */
  texture_features *features;                /* [channels][objects] */
  int64_t channel, objects, first, n, parts; /* n objects from the first on are worked on, by parts blocks each */

  __device__ int64_t runs (int64_t object) const
  {
    return s.runs ? region_end (s, object) - s.first[object] : rows;
  }
  __device__ run run_of (int64_t object, int64_t i) const
  {
    if (s.runs)
      return s.runs[s.first[object] + i];
    return {0, (int32_t) object, (int32_t) i, 0, (int32_t) columns};
  }
};

__global__ void
__launch_bounds__ (TEXTURE_THREADS) texture_levels_kernel (texture_job job)
{
  const int64_t lines = job.planes * job.rows;
  for (int64_t line = blockIdx.x; line < lines; line += gridDim.x) {
    const int64_t plane = line / job.rows, y = line - plane * job.rows;
    const histogram_range r = job.ranges[plane / job.depth];
    for (int64_t x = threadIdx.x; x < job.columns; x += TEXTURE_THREADS)
      job.level[line * job.columns + x] = texture_level (&r, stack_pixel (&job.pixels, plane, y, x));
  }
}

/* Counts the pairs of a run by a warp. */
__device__ __forceinline__ void
texture_count_run (const texture_job &job, const run &r, int64_t down, int64_t right, uint32_t *pairs)
{
  const int64_t y = r.y + down;
  if (y < 0 || y >= job.rows)
    return;
  const uint8_t *plane = job.level + (job.channel * job.depth + r.z) * job.rows * job.columns;
  for (int64_t x = r.x0 + (threadIdx.x & 31); x < r.x1; x += 32) {
    if (x + right < 0 || x + right >= job.columns)
      continue;
    const uint32_t from = plane[r.y * job.columns + x], to = plane[y * job.columns + x + right];
    if (from != TEXTURE_NONE && to != TEXTURE_NONE && (!job.s.runs || job.labels.row (r.z, y)[x + right] == r.label))
      atomicAdd (pairs + from * job.levels + to, 1u);
  }
}

__global__ void
__launch_bounds__ (TEXTURE_THREADS) texture_pairs_kernel (texture_job job)
{
  extern __shared__ uint32_t texture_pairs[];
  const int64_t part = blockIdx.x % job.parts, item = blockIdx.x / job.parts, at = item / job.steps.n,
                object = job.first + at, warps = TEXTURE_THREADS / 32;
  const int step = (int) (item - at * job.steps.n), cells = job.levels * job.levels;
  texture_count *matrix = job.matrices + item * cells;
  for (int i = (int) threadIdx.x; i < cells; i += TEXTURE_THREADS)
    texture_pairs[i] = 0;
  __syncthreads ();
  for (int64_t i = part * warps + threadIdx.x / 32, n = job.runs (object); i < n; i += job.parts * warps)
    texture_count_run (job, job.run_of (object, i), job.steps.rows[step], job.steps.columns[step], texture_pairs);
  __syncthreads ();
  for (int i = (int) threadIdx.x; i < cells; i += TEXTURE_THREADS)
    if (texture_pairs[i])
      atomicAdd (matrix + i, (texture_count) texture_pairs[i]);
}

struct texture_sums_join {
  __device__ texture_sums operator() (texture_sums a, const texture_sums &b) const
  {
    for (int k = 0; k < TEXTURE_SUMS; k++)
      a.v[k] += b.v[k];
    return a;
  }
};

/* For all threads of the block; false where there are no pairs. */
__device__ bool
texture_add_angle (const texture_count *pairs, int n, texture_sums *shared, texture_features *to)
{
  texture_sums own = {};
  for (int i = (int) threadIdx.x; i < n * n; i += TEXTURE_THREADS) {
    own.v[0] += 2 * (double) pairs[i];
    own.v[1] += (double) pairs[i] * (i / n + i % n);
  }
  own = join_block (own, shared, texture_sums_join ());
  const double total = own.v[0], mean = own.v[1] / total;
  if (!(total > 0))
    return false;
  own = texture_sums ();
  for (int i = (int) threadIdx.x; i < n * n; i += TEXTURE_THREADS) {
    const int row = i / n, column = i % n;
    const texture_count both = pairs[i] + pairs[column * n + row];
    if (both)
      texture_add (&own, row, column, (double) both / total, mean);
  }
  own = join_block (own, shared, texture_sums_join ());
  texture_add_features (to, &own);
  return true;
}

__global__ void
__launch_bounds__ (TEXTURE_THREADS) texture_features_kernel (texture_job job)
{
  __shared__ texture_sums shared[32];
  const int cells = job.levels * job.levels;
  texture_features f = {};
  int found = 0;
  for (int step = 0; step < job.steps.n; step++)
    found +=
      texture_add_angle (job.matrices + ((int64_t) blockIdx.x * job.steps.n + step) * cells, job.levels, shared, &f);
  texture_average (&f, found);
  if (threadIdx.x == 0)
    job.features[job.channel * job.objects + job.first + blockIdx.x] = f;
}

/* ---- The call ---- */

static fv_status
texture_batch (const fv_call *call, const texture_job &job, fv_error *error)
{
  const int64_t cells = (int64_t) job.levels * job.levels, items = job.n * job.steps.n;
  fv_status status =
    cuda_status (cudaMemsetAsync (job.matrices, 0, (size_t) (items * cells) * sizeof *job.matrices, cuda_stream (call)),
                 "Clearing the matrices", error);
  if (!status)
    status = cuda_status (
      launch (texture_pairs_kernel, items * job.parts, TEXTURE_THREADS, cells * (int64_t) sizeof (uint32_t), call, job),
      "Counting pairs", error);
  return status
           ? status
           : cuda_status (launch (texture_features_kernel, job.n, TEXTURE_THREADS, 0, call, job), "Texture", error);
}

static fv_status
texture_all_batches (const fv_call *call, texture_job *job, int64_t channels, fv_error *error)
{
  const int64_t cells = (int64_t) job->levels * job->levels,
                room = TEXTURE_MATRICES / (cells * job->steps.n * (int64_t) sizeof (texture_count)),
                most = room < TEXTURE_BATCH ? room : (int64_t) TEXTURE_BATCH,
                batch = job->objects < most ? job->objects : most,
                blocks = 8 * (int64_t) multiprocessors () / (batch * job->steps.n), wanted = blocks_for (job->rows, 8);
  job->parts = blocks < 1 ? 1 : blocks < wanted ? blocks : wanted;
  fv_status status = cuda_scratch (call, (size_t) (batch * job->steps.n * cells), &job->matrices, error);
  for (job->channel = 0; job->channel < channels && !status; job->channel++)
    for (job->first = 0; job->first < job->objects && !status; job->first += batch) {
      job->n = job->objects - job->first < batch ? job->objects - job->first : batch;
      if (call->host->tick (call, job->channel * job->objects + job->first, channels * job->objects))
        return cancelled (error);
      status = texture_batch (call, *job, error);
    }
  return status;
}

/* Levels of all pixels. */
static fv_status
texture_make_levels (const fv_call *call, texture_job *job, int64_t channels, fv_error *error)
{
  const texture_args *a = (const texture_args *) call->args;
  const histogram_args bins = texture_bins_of (a);
  const int64_t lines = job->planes * job->rows, most = 32 * (int64_t) multiprocessors ();
  histogram_range *ranges;
  fv_status status = cuda_scratch (call, (size_t) channels, &ranges, error);
  if (!status)
    status = cuda_scratch (call, (size_t) (lines * job->columns), &job->level, error);
  if (!status)
    status = histogram_find_ranges_cuda (call, call->inputs[TEXTURE_IMAGE], NULL, &bins, ranges, error);
  job->ranges = ranges;
  return status
           ? status
           : cuda_status (launch (texture_levels_kernel, lines < most ? lines : most, TEXTURE_THREADS, 0, call, *job),
                          "Making levels", error);
}

/* What is read back becomes the table. */
static fv_status
texture_report (const fv_call *call, const texture_job &job, int64_t channels, fv_error *error)
{
  const size_t features = (size_t) (channels * job.objects) * sizeof (texture_features),
               bytes = (size_t) (2 * job.objects) * sizeof (int32_t);
  void *to, *at;
  int32_t *where;
  fv_status status = cuda_scratch (call, (size_t) (2 * job.objects), &where, error);
  if (!status)
    status = call->host->host_scratch (call, features, &to, error);
  if (!status)
    status = call->host->host_scratch (call, bytes, &at, error);
  if (status)
    return status;
  items_launch (call, job.objects, [=] __device__ (int64_t i) {
    const run r = job.run_of (i, 0);
    where[i] = r.z;
    where[job.objects + i] = r.label;
  });
  status = cuda_status (cudaGetLastError (), "Listing objects", error);
  if (!status)
    status = call->host->read (call, at, where, bytes, error);
  if (!status)
    status = call->host->read (call, to, job.features, features, error);
  return status ? status
                : texture_table (call, job.objects, (const int32_t *) at, (const int32_t *) at + job.objects,
                                 (const texture_features *) to, error);
}

extern "C" fv_status
texture_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *image = call->inputs[TEXTURE_IMAGE], *labels = call->inputs[TEXTURE_LABELS];
  const texture_args *a = (const texture_args *) call->args;
  const int64_t channels = image->grid->channels;
  texture_job job = {};
  job.pixels = stack_view_of (image, 0, 1);
  job.steps = texture_steps_of (a);
  job.planes = array_planes (image);
  job.depth = job.objects = grid_depth (image->grid);
  job.rows = array_rows (image);
  job.columns = array_columns (image);
  job.levels = a->levels;
  fv_status status = FV_OK;
  if (labels) {
    job.labels = view_of<const int32_t> (labels);
    status = region_set_find (call, labels, false, &job.s, error);
    job.objects = job.s.n;
  }
  if (!status && !job.objects)
    return texture_table (call, 0, NULL, NULL, NULL, error);
  if (!status)
    status = cuda_scratch (call, (size_t) (channels * job.objects), &job.features, error);
  if (!status)
    status = texture_make_levels (call, &job, channels, error);
  if (!status)
    status = texture_all_batches (call, &job, channels, error);
  return status ? status : texture_report (call, job, channels, error);
}
