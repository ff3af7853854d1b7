/* SPDX-License-Identifier: MIT
 *
 * register, transform=rigid, on the GPU: pyramids in float, sums in double, in the same order each time. For an image that is loaded:
 * - rr_sums, twice: 256 blocks of 256 threads, each some rows; reads each pixel once, writes three numbers a block: for the mean, and then for
 *   the standard deviation. __syncthreads: those of join_block.
 * - rr_light, after each: a block of 256 threads, for the sums of all. Those of join_block.
 * - rr_level: 256 threads for some rows; reads each pixel once, writes 4 bytes for it. None.
 * - rr_halve, for each level: 256 threads for some rows; reads 16 bytes and writes 4 for each pixel of the smaller one. None.
 * And for each step of Gauss and Newton:
 * - rr_step: 256 threads for some tiles of 32 x 8 pixels. For each pixel it reads 4 bytes of the fixed image and 16 times 4 of the moving one, of
 *   which all but 4 are in caches. It writes 22 numbers a block. Two.
 * - rr_total: a block of 22 warps, for the sums of all. None.
 * The host reads 22 numbers after each step, some thirty times in all, and once the light and the coarse level of each image that is loaded.
 */
#include "kernels/common/blocks.cuh"
#include "kernels/common/row.cuh"
#include "kernels/geometry/register_rigid.h"
#include "kernels/geometry/register_source.cuh"
#include "kernels/geometry/rigid_search.h"

enum {
  RR_THREADS = 256,
  RR_SUM_BLOCKS = 256,
  RR_ROW_BLOCKS = 4096,
  RR_WIDE = 32,
  RR_HIGH = RR_THREADS / RR_WIDE,
  RR_PARTS = 8,         /* of the threads of a block, whose sums are joined */
  RR_STEP_BLOCKS = 1056 /* at most, on any GPU: the order of sums hangs on it */
};

/* ---- Pixels ---- */

template <typename In> struct rr_sums_job {
  rg_source<In> from;
  int64_t rows, columns;
  const rigid_light *light; /* NULL: the mean is not known */
  rg_sum *to;               /* one a block */
};

template <typename In>
__global__ void
__launch_bounds__ (RR_THREADS) rr_sums (const __grid_constant__ rr_sums_job<In> job)
{
  __shared__ rg_sum joined[32];
  const double mean = job.light ? job.light->mean : 0;
  rg_sum own = {0, 0, 0};
  for (int64_t y = blockIdx.x; y < job.rows; y += RR_SUM_BLOCKS)
#pragma unroll 8
    for (int64_t x = threadIdx.x; x < job.columns; x += RR_THREADS) {
      const double v = job.from.pixel (y, x);
      if (isfinite (v))
        own = rg_add (own, rg_sum{1, v - mean, (v - mean) * (v - mean)});
    }
  own = join_block (own, joined, rg_add);
  if (threadIdx.x == 0)
    job.to[blockIdx.x] = own;
}

struct rr_light_job {
  const rg_sum *from;
  bool has_mean;
  rigid_light *light;
};

__global__ void
__launch_bounds__ (RR_THREADS) rr_light (const __grid_constant__ rr_light_job job)
{
  __shared__ rg_sum joined[32];
  const rg_sum all = join_block (job.from[threadIdx.x], joined, rg_add);
  if (threadIdx.x == 0)
    *job.light = job.has_mean ? rigid_light_of (all.count, job.light->mean, all.squares)
                              : rigid_light{all.count > 0 ? all.sum / all.count : 0, 0};
}

template <typename In> struct rr_level_job {
  rg_source<In> from;
  int64_t rows, columns;
  const rigid_light *light;
  float *to;
};

template <typename In>
__global__ void
__launch_bounds__ (RR_THREADS) rr_level (const __grid_constant__ rr_level_job<In> job)
{
  const rigid_light light = *job.light;
  for (int64_t y = blockIdx.x; y < job.rows; y += gridDim.x)
#pragma unroll 4
    for (int64_t x = threadIdx.x; x < job.columns; x += RR_THREADS)
      job.to[y * job.columns + x] = rigid_pixel (job.from.pixel (y, x), light);
}

struct rr_halve_job {
  const float *from;
  int64_t from_columns, rows, columns;
  float *to;
};

__global__ void
__launch_bounds__ (RR_THREADS) rr_halve (const __grid_constant__ rr_halve_job job)
{
  for (int64_t y = blockIdx.x; y < job.rows; y += gridDim.x)
#pragma unroll 4
    for (int64_t x = threadIdx.x; x < job.columns; x += RR_THREADS)
      job.to[y * job.columns + x] = rigid_half (job.from, job.from_columns, x, y);
}

/* ---- Refinement ---- */

struct rr_step_job {
  rigid_step step;
  const float *fixed, *moving; /* the level */
  double (*to)[RIGID_SUMS];    /* one a block */
};

__global__ void
__launch_bounds__ (RR_THREADS, 2) rr_step (const __grid_constant__ rr_step_job job)
{
  __shared__ double shared[RIGID_SUMS][RR_THREADS];
  const rigid_level &l = job.step.level;
  const uint32_t across = (uint32_t) ((l.columns + RR_WIDE - 1) / RR_WIDE),
                 tiles = across * (uint32_t) ((l.rows + RR_HIGH - 1) / RR_HIGH);
  double own[RIGID_SUMS] = {};
  for (uint32_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const int64_t x = tile % across * RR_WIDE + threadIdx.x % RR_WIDE,
                  y = tile / across * RR_HIGH + threadIdx.x / RR_WIDE;
    if (x < l.columns && y < l.rows)
      rigid_add (&job.step, job.fixed, job.moving, x, y, own);
  }
#pragma unroll
  for (int i = 0; i < RIGID_SUMS; i++)
    shared[i][threadIdx.x] = own[i];
  __syncthreads ();
  const int which = threadIdx.x / RR_PARTS, part = threadIdx.x % RR_PARTS;
  double sum = 0;
  for (int i = part; i < RR_THREADS && which < RIGID_SUMS; i += RR_PARTS)
    sum += shared[which][i];
  __syncthreads ();
  for (int d = RR_PARTS / 2; d; d /= 2)
    sum += __shfl_xor_sync (~0u, sum, d);
  if (which < RIGID_SUMS && part == 0)
    job.to[blockIdx.x][which] = sum;
}

struct rr_total_job {
  const double (*from)[RIGID_SUMS];
  int64_t n;
  double *to;
};

/* A warp for each sum. */
__global__ void __launch_bounds__ (32 * RIGID_SUMS) rr_total (const __grid_constant__ rr_total_job job)
{
  const int which = threadIdx.x / 32, lane = threadIdx.x % 32;
  double sum = 0;
  for (int64_t i = lane; i < job.n; i += 32)
    sum += job.from[i][which];
  for (int d = 16; d; d /= 2)
    sum += __shfl_xor_sync (~0u, sum, d);
  if (lane == 0)
    job.to[which] = sum;
}

/* ---- A call ---- */

struct rr_memory {
  const fv_call *call;
  const rigid_pyramid *pyramid;
  float *images[2];
  rigid_light *lights; /* [2] */
  rg_sum *sums;
  double (*parts)[RIGID_SUMS];
  double *total;
  /* Of the host: */
  float *coarse[2];
  rigid_light *light;
  double *read, *search;
  bool there[2], seen[2]; /* whether the coarse level has been read since the image was loaded */
};

static fv_status
rr_done (cudaError_t code, fv_error *error)
{
  return cuda_status (code, "Registering", error);
}

static int64_t
rr_row_blocks (int64_t rows)
{
  return rows < RR_ROW_BLOCKS ? rows : (int64_t) RR_ROW_BLOCKS;
}

/* The largest level. */
template <typename In>
static cudaError_t
rr_load_pixels (const rr_memory &m, int which, const register_view &v)
{
  const int64_t rows = array_rows (v.array), columns = array_columns (v.array);
  const rg_source<In> from = {view_of<const In> (v.array), v.plane, v.depth, {0, 0}};
  rigid_light *light = m.lights + which;
  const rr_level_job<In> level = {from, rows, columns, light, m.images[which]};
  cudaError_t code = cudaSuccess;
  for (int turn = 0; turn < 2 && !code; turn++) {
    const rr_sums_job<In> sums = {from, rows, columns, turn ? light : NULL, m.sums};
    const rr_light_job joined = {m.sums, turn > 0, light};
    code = launch (rr_sums<In>, RR_SUM_BLOCKS, RR_THREADS, 0, m.call, sums);
    if (!code)
      code = launch (rr_light, 1, RR_THREADS, 0, m.call, joined);
  }
  return code ? code : launch (rr_level<In>, rr_row_blocks (rows), RR_THREADS, 0, m.call, level);
}

static fv_status
rr_load (const rigid_device *d, int which, const register_view *v, fv_error *error)
{
  rr_memory &m = *(rr_memory *) d->memory;
  const rigid_pyramid &p = *m.pyramid;
  cudaError_t code =
    with_type (v->array->grid->type, [&] (auto zero) { return rr_load_pixels<decltype (zero)> (m, which, *v); });
  m.there[which] = false;
  for (int i = 1; i < p.count && !code; i++) {
    const rigid_level &from = p.levels[i - 1], &to = p.levels[i];
    const rr_halve_job job = {m.images[which] + from.start, from.columns, to.rows, to.columns,
                              m.images[which] + to.start};
    code = launch (rr_halve, rr_row_blocks (to.rows), RR_THREADS, 0, m.call, job);
  }
  return rr_done (code, error);
}

static fv_status
rr_coarse (const rigid_device *d, int which, const float **level, fv_error *error)
{
  rr_memory &m = *(rr_memory *) d->memory;
  const rigid_level &l = m.pyramid->levels[m.pyramid->coarse];
  if (!m.there[which]) {
    const size_t bytes = (size_t) (l.rows * l.columns) * sizeof (float);
    if (m.call->host->read (m.call, m.light, m.lights + which, sizeof *m.light, error)
        || m.call->host->read (m.call, m.coarse[which], m.images[which] + l.start, bytes, error))
      return error->code;
    m.seen[which] = m.light->scale > 0;
    m.there[which] = true;
  }
  *level = m.seen[which] ? m.coarse[which] : NULL;
  return FV_OK;
}

static fv_status
rr_sums_of (const rigid_device *d, int fixed, const rigid_step *step, double sums[RIGID_SUMS], fv_error *error)
{
  const rr_memory &m = *(const rr_memory *) d->memory;
  const rigid_level &l = step->level;
  const int64_t tiles = blocks_for (l.columns, RR_WIDE) * blocks_for (l.rows, RR_HIGH),
                blocks = tiles < RR_STEP_BLOCKS ? tiles : (int64_t) RR_STEP_BLOCKS;
  const rr_step_job job = {*step, m.images[fixed] + l.start, m.images[!fixed] + l.start, m.parts};
  const rr_total_job total = {m.parts, blocks, m.total};
  cudaError_t code = launch (rr_step, blocks, RR_THREADS, 0, m.call, job);
  if (!code)
    code = launch (rr_total, 1, 32 * RIGID_SUMS, 0, m.call, total);
  if (rr_done (code, error) || m.call->host->read (m.call, m.read, m.total, RIGID_SUMS * sizeof *sums, error))
    return error->code;
  memcpy (sums, m.read, RIGID_SUMS * sizeof *sums);
  return FV_OK;
}

template <typename T>
static fv_status
rr_host (const fv_call *call, int64_t n, T **memory, fv_error *error)
{
  return call->host->host_scratch (call, (size_t) (n ? n : 1) * sizeof (T), (void **) memory, error);
}

static fv_status
rr_make (rr_memory *m, fv_error *error)
{
  const fv_call *call = m->call;
  const rigid_pyramid &p = *m->pyramid;
  const rigid_level &l = p.levels[p.coarse];
  for (int i = 0; i < 2; i++)
    if (cuda_scratch (call, (size_t) p.numbers, &m->images[i], error)
        || rr_host (call, l.rows * l.columns, &m->coarse[i], error))
      return error->code;
  if (cuda_scratch (call, 2, &m->lights, error) || cuda_scratch (call, RR_SUM_BLOCKS, &m->sums, error)
      || cuda_scratch (call, RR_STEP_BLOCKS, &m->parts, error) || cuda_scratch (call, RIGID_SUMS, &m->total, error)
      || rr_host (call, 1, &m->light, error) || rr_host (call, RIGID_SUMS, &m->read, error)
      || rr_host (call, rigid_search_numbers (), &m->search, error))
    return error->code;
  return FV_OK;
}

extern "C" fv_status
register_rigid_cuda (const fv_call *call, const register_plan *plan, double *moves, affine_map *maps, fv_error *error)
{
  const rigid_pyramid p = rigid_pyramid_of (array_rows (call->inputs[0]), array_columns (call->inputs[0]));
  rr_memory m = {};
  m.call = call;
  m.pyramid = &p;
  const rigid_device device = {&m, rr_load, rr_coarse, rr_sums_of};
  return rr_make (&m, error) ? error->code : register_rigid (call, plan, &device, m.search, moves, maps, error);
}
