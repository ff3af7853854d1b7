/* SPDX-License-Identifier: MIT
 *
 * register on the GPU, in float for images of 8 and 16 bits and float, else in double; lines of transforms are in shared memory. For each
 * pair, N numbers of a transform:
 * - rg_tables, once: 256 threads, a root of one or a weight each. None.
 * - rg_sums: 256 threads for some rows of a plane. Reads each pixel once, writes three numbers a block. __syncthreads: those of join_block.
 * - rg_rows_there: some rows; reads two pixels, writes a number for each, transposed, so that columns lie in one piece. One, and one a step.
 * - rg_columns: a column and that of the negative frequency; reads N numbers, writes N / 2 products and N / 2 numbers. Two, and one a step.
 * - rg_rows_back: two rows as the real and the imaginary part of one, of which only the highest is kept. Reads N / 2. One, and one a step.
 * - rg_peak: a block of 256 threads, for the highest of all. Those of join_block.
 * - rg_samples, rg_choose, three times: 128 threads, each a row of frequencies and 32 columns, for 25 points; reads N / 2 products, and one
 *   block for the sums of all. One of each.
 * - rg_maps: a thread; the shift where the host and affine_kernel find it.
 * Nothing waits for the host but the table at the end. With transform=rigid register_rigid.cu finds how it is moved, and of these only affine_kernel runs.
 */
#include "kernels/common/blocks.cuh"
#include "kernels/common/fft.cuh"
#include "kernels/geometry/affine_run.cuh"
#include "kernels/geometry/register.h"
#include "kernels/geometry/register_rigid.h"
#include "kernels/geometry/register_source.cuh"

enum { RG_THREADS = 256, RG_SUM_BLOCKS = 256, RG_CHUNK = 32, RG_ROWS = 128, RG_LINES_BYTES = 72 << 10 };

/* How far, or where. */
struct rg_point {
  double x, y;
};

struct rg_highest {
  double value;
  int64_t at;
};

__device__ __forceinline__ rg_highest
rg_higher (rg_highest a, rg_highest b)
{
  return b.value > a.value || (b.value == a.value && b.at < a.at) ? b : a;
}

/* ---- Tables ---- */

template <typename T> struct rg_tables_job {
  complex_number<T> *waves[2]; /* exp (-2 pi i k / n), of each axis */
  T *window[2];
  int64_t length[2], size[2];
  bool fade;
};

template <typename T>
__global__ void
__launch_bounds__ (RG_THREADS) rg_tables (const __grid_constant__ rg_tables_job<T> job)
{
  const int axis = blockIdx.y;
  const int64_t k = (int64_t) blockIdx.x * RG_THREADS + threadIdx.x, n = job.length[axis];
  double s, c;
  if (k >= n)
    return;
  sincospi (-2 * (double) k / (double) n, &s, &c);
  job.waves[axis][k] = {(T) c, (T) s};
  s = sinpi (((double) k + 0.5) / (double) job.size[axis]);
  job.window[axis][k] = k >= job.size[axis] ? (T) 0 : job.fade ? (T) (s * s) : (T) 1;
}

/* ---- Pixels ---- */

template <typename In> struct rg_sums_job {
  rg_source<In> from[2];
  int64_t size[2];
  rg_sum *to; /* [2][RG_SUM_BLOCKS] */
};

template <typename In>
__global__ void
__launch_bounds__ (RG_THREADS) rg_sums (const __grid_constant__ rg_sums_job<In> job)
{
  __shared__ rg_sum joined[32];
  const int which = blockIdx.x / RG_SUM_BLOCKS, block = blockIdx.x % RG_SUM_BLOCKS;
  rg_sum own = {0, 0, 0};
  for (int64_t y = block; y < job.size[0]; y += RG_SUM_BLOCKS)
#pragma unroll 8
    for (int64_t x = threadIdx.x; x < job.size[1]; x += RG_THREADS) {
      const double v = job.from[which].pixel (y, x);
      if (isfinite (v))
        own = rg_add (own, rg_sum{1, v, v * v});
    }
  own = join_block (own, joined, rg_add);
  if (threadIdx.x == 0)
    job.to[which * RG_SUM_BLOCKS + block] = own;
}

/* By all threads of a block. */
__device__ __forceinline__ register_scale
rg_scale (const rg_sum *sums, rg_sum *shared)
{
  rg_sum all = threadIdx.x < RG_SUM_BLOCKS ? sums[threadIdx.x] : rg_sum{0, 0, 0};
  all = join_block (all, shared, rg_add);
  return register_scale_of (all.count, all.sum, all.squares);
}

/* ---- Transforms ---- */

template <typename T>
__device__ __forceinline__ complex_number<T> *
rg_lines (void)
{
  extern __shared__ __align__ (16) unsigned char rg_memory[];
  return (complex_number<T> *) rg_memory;
}

/* Where number k of the frequencies of a line stands after fft_forward(): all radices are powers of two. */
__device__ __forceinline__ int
rg_frequency_index (const fft_plan &plan, int k)
{
  int at = 0;
  for (int i = 0; i < plan.steps; i++) {
    const int radix = plan.step[i].radix;
    at += (k & (radix - 1)) * plan.step[i].apart;
    k >>= 31 - __clz (radix);
  }
  return fft_index (at);
}

template <typename In, typename T> struct rg_rows_there_job {
  fft_lines<T> lines;
  rg_source<In> from[2];
  const rg_sum *sums;
  const T *window[2];
  int64_t size[2], rows; /* pixels; rows of a transform */
  complex_number<T> *to; /* [columns][rows] */
};

template <typename In, typename T>
__device__ __forceinline__ T
rg_pixel (const rg_rows_there_job<In, T> &job, int which, const register_scale &scale, int64_t y, int64_t x)
{
  if (y >= job.size[0] || x >= job.size[1])
    return 0;
  const double v = job.from[which].pixel (y, x);
  return isfinite (v) ? (T) ((v - scale.mean) * scale.scale) * (job.window[0][y] * job.window[1][x]) : (T) 0;
}

template <typename In, typename T>
__global__ void
__launch_bounds__ (RG_THREADS) rg_rows_there (const __grid_constant__ rg_rows_there_job<In, T> job)
{
  __shared__ rg_sum joined[32];
  complex_number<T> *numbers = rg_lines<T> ();
  const int n = job.lines.plan.n, count = job.lines.count;
  const int64_t y0 = (int64_t) blockIdx.x * count;
  const register_scale a = rg_scale (job.sums, joined), b = rg_scale (job.sums + RG_SUM_BLOCKS, joined);
  for (int l = 0; l < count; l++)
#pragma unroll 4
    for (int x = (int) threadIdx.x; x < n; x += RG_THREADS)
      numbers[l * job.lines.pitch + fft_index (x)] = {rg_pixel (job, 0, a, y0 + l, x), rg_pixel (job, 1, b, y0 + l, x)};
  __syncthreads ();
  fft_forward (numbers, job.lines);
  for (int i = (int) threadIdx.x; i < n * count; i += RG_THREADS) {
    const int l = i & (count - 1), u = i / count;
    job.to[u * job.rows + y0 + l] = numbers[l * job.lines.pitch + rg_frequency_index (job.lines.plan, u)];
  }
}

template <typename T> struct rg_columns_job {
  fft_lines<T> both, one;
  int32_t columns;
  bool phase;
  T least;                         /* squared */
  const complex_number<T> *from;   /* [columns][rows] */
  complex_number<T> *product, *to; /* [columns / 2 + 1][rows]; frequencies along y in order, rows */
};

/* Of z and w, the transform of a + i b at a frequency and at its negative. */
template <typename T>
__device__ __forceinline__ complex_number<T>
rg_product (complex_number<T> z, complex_number<T> w, bool phase, T least)
{
  const complex_number<T> a = {(z.re + w.re) / 2, (z.im - w.im) / 2}, b = {(z.im + w.im) / 2, (w.re - z.re) / 2};
  if (!(a.re * a.re + a.im * a.im > least && b.re * b.re + b.im * b.im > least))
    return {0, 0};
  complex_number<T> p = a * conjugate (b);
  if (phase) {
    const T size = sqrt (p.re * p.re + p.im * p.im);
    p = {p.re / size, p.im / size};
  }
  return p;
}

template <typename T>
__global__ void
__launch_bounds__ (RG_THREADS) rg_columns (const __grid_constant__ rg_columns_job<T> job)
{
  complex_number<T> *here = rg_lines<T> (), *there = here + job.both.pitch;
  const fft_plan &plan = job.both.plan;
  const int n = plan.n;
  const int64_t u = blockIdx.x, negative = u ? job.columns - u : 0;
#pragma unroll 4
  for (int y = (int) threadIdx.x; y < n; y += RG_THREADS) {
    here[fft_index (y)] = job.from[u * n + y];
    there[fft_index (y)] = job.from[negative * n + y];
  }
  __syncthreads ();
  fft_forward (here, job.both);
  for (int v = (int) threadIdx.x; v < n; v += RG_THREADS) {
    complex_number<T> &at = here[rg_frequency_index (plan, v)];
    at = rg_product (at, there[rg_frequency_index (plan, (n - v) & (n - 1))], job.phase, job.least);
    job.product[u * n + v] = at;
  }
  __syncthreads ();
  fft_inverse (here, job.one);
  for (int y = (int) threadIdx.x; y < n; y += RG_THREADS)
    job.to[u * n + y] = here[fft_index (y)];
}

template <typename T> struct rg_rows_back_job {
  fft_lines<T> lines; /* count: pairs of rows */
  int64_t rows;
  const complex_number<T> *from; /* [columns / 2 + 1][rows] */
  rg_highest *to;                /* one a block */
};

/* Rows y and y + 1, whose transforms are those of real numbers: a(-u) = conj (a(u)). */
template <typename T>
__global__ void
__launch_bounds__ (RG_THREADS) rg_rows_back (const __grid_constant__ rg_rows_back_job<T> job)
{
  __shared__ rg_highest joined[32];
  complex_number<T> *numbers = rg_lines<T> ();
  const int n = job.lines.plan.n, count = job.lines.count;
  const int64_t y0 = (int64_t) blockIdx.x * 2 * count;
  for (int i = (int) threadIdx.x; i < (n / 2 + 1) * count; i += RG_THREADS) {
    const int l = i & (count - 1), u = i / count;
    const complex_number<T> *at = job.from + u * job.rows + y0 + 2 * l, a = at[0], b = at[1];
    complex_number<T> *line = numbers + l * job.lines.pitch;
    line[rg_frequency_index (job.lines.plan, u)] = {a.re - b.im, a.im + b.re};
    if (u > 0 && u < n / 2)
      line[rg_frequency_index (job.lines.plan, n - u)] = {a.re + b.im, b.re - a.im};
  }
  __syncthreads ();
  fft_inverse (numbers, job.lines);
  rg_highest own = {-INFINITY, 0};
  for (int l = 0; l < count; l++)
    for (int x = (int) threadIdx.x; x < n; x += RG_THREADS) {
      const complex_number<T> v = numbers[l * job.lines.pitch + fft_index (x)];
      own = rg_higher (own, {(double) v.re, (y0 + 2 * l) * n + x});
      own = rg_higher (own, {(double) v.im, (y0 + 2 * l + 1) * n + x});
    }
  own = join_block (own, joined, rg_higher);
  if (threadIdx.x == 0)
    job.to[blockIdx.x] = own;
}

/* ---- The best point ---- */

struct rg_peak_job {
  const rg_highest *from;
  int64_t n, length[2];
  rg_point *to;
};

__global__ void
__launch_bounds__ (RG_THREADS) rg_peak (const __grid_constant__ rg_peak_job job)
{
  __shared__ rg_highest joined[32];
  rg_highest own = {-INFINITY, 0};
  for (int64_t i = threadIdx.x; i < job.n; i += RG_THREADS)
    own = rg_higher (own, job.from[i]);
  own = join_block (own, joined, rg_higher);
  if (threadIdx.x == 0)
    *job.to = {register_distance (own.at % job.length[1], job.length[1]),
               register_distance (own.at / job.length[1], job.length[0])};
}

template <typename T> struct rg_samples_job {
  const complex_number<T> *product; /* [length[1] / 2 + 1][length[0]] */
  int64_t length[2];
  int32_t tiles; /* of RG_ROWS rows */
  double apart;
  const rg_point *middle;
  double (*to)[REGISTER_SAMPLES]; /* one a block */
};

/* exp (2 pi i k at / n) for frequency k, nothing for the highest one. */
template <typename T>
__device__ __forceinline__ complex_number<T>
rg_turn (int64_t k, int64_t n, double at, double weight)
{
  double s, c;
  sincospi (2 * register_frequency (k, n) * at / (double) n, &s, &c);
  return k == n / 2 ? complex_number<T>{0, 0} : complex_number<T>{(T) (weight * c), (T) (weight * s)};
}

template <typename T>
__global__ void
__launch_bounds__ (RG_ROWS) rg_samples (const __grid_constant__ rg_samples_job<T> job)
{
  __shared__ complex_number<T> across[RG_CHUNK][REGISTER_SIDE];
  __shared__ double sums[RG_ROWS / 32][REGISTER_SAMPLES];
  const int64_t u0 = (int64_t) (blockIdx.x / job.tiles) * RG_CHUNK, rows = job.length[0], columns = job.length[1],
                v = (int64_t) (blockIdx.x % job.tiles) * RG_ROWS + threadIdx.x;
  const int count = (int) (columns / 2 - u0 < RG_CHUNK ? columns / 2 - u0 : RG_CHUNK);
  const rg_point middle = *job.middle;
  for (int i = (int) threadIdx.x; i < count * REGISTER_SIDE; i += RG_ROWS) {
    const int u = i / REGISTER_SIDE, k = i % REGISTER_SIDE;
    across[u][k] = rg_turn<T> (u0 + u, columns, middle.x + (k - REGISTER_SIDE / 2) * job.apart, u0 + u ? 2 : 1);
  }
  __syncthreads ();
  complex_number<T> along[REGISTER_SIDE] = {};
  if (v < rows)
#pragma unroll 4
    for (int u = 0; u < count; u++) {
      const complex_number<T> p = job.product[(u0 + u) * rows + v];
#pragma unroll
      for (int k = 0; k < REGISTER_SIDE; k++) {
        const complex_number<T> w = across[u][k];
        along[k] = {along[k].re + p.re * w.re - p.im * w.im, along[k].im + p.re * w.im + p.im * w.re};
      }
    }
  for (int j = 0; j < REGISTER_SIDE; j++) {
    const complex_number<double> w = v < rows
                                       ? rg_turn<double> (v, rows, middle.y + (j - REGISTER_SIDE / 2) * job.apart, 1)
                                       : complex_number<double>{0, 0};
#pragma unroll
    for (int k = 0; k < REGISTER_SIDE; k++) {
      double sum = (double) along[k].re * w.re - (double) along[k].im * w.im;
      for (int d = 16; d; d /= 2)
        sum += __shfl_xor_sync (~0u, sum, d);
      if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32][j * REGISTER_SIDE + k] = sum;
    }
  }
  __syncthreads ();
  if (threadIdx.x < REGISTER_SAMPLES) {
    double sum = 0;
    for (int w = 0; w < RG_ROWS / 32; w++)
      sum += sums[w][threadIdx.x];
    job.to[blockIdx.x][threadIdx.x] = sum;
  }
}

struct rg_choose_job {
  const double (*from)[REGISTER_SAMPLES];
  int64_t n;
  double apart;
  bool last;
  rg_point *middle;
};

/* A warp for each point. */
__global__ void __launch_bounds__ (32 * REGISTER_SAMPLES) rg_choose (const __grid_constant__ rg_choose_job job)
{
  __shared__ double all[REGISTER_SAMPLES];
  const int point = threadIdx.x / 32, lane = threadIdx.x % 32;
  double sum = 0;
  for (int64_t i = lane; i < job.n; i += 32)
    sum += job.from[i][point];
  for (int d = 16; d; d /= 2)
    sum += __shfl_xor_sync (~0u, sum, d);
  if (lane == 0)
    all[point] = sum;
  __syncthreads ();
  if (threadIdx.x == 0)
    register_choose (all, job.apart, job.last, &job.middle->x, &job.middle->y);
}

struct rg_maps_job {
  const rg_point *found, *before; /* NULL: it is the first, or lies on one that is where it was */
  int32_t upsample;
  rg_point *to;
  affine_map *map;
};

__global__ void
rg_maps (const __grid_constant__ rg_maps_job job)
{
  rg_point p = {0, 0};
  if (job.found)
    p = {register_round (job.found->x, job.upsample), register_round (job.found->y, job.upsample)};
  if (job.before)
    p = {p.x + job.before->x, p.y + job.before->y};
  *job.to = p;
  *job.map = {1, 0, 0, 1, {-p.x, -p.y}};
}

/* ---- A call ---- */

template <typename T> struct rg_memory {
  complex_number<T> *spectrum, *product, *back;
  complex_number<T> *waves[2];
  T *window[2];
  rg_sum *sums;
  rg_highest *highest;
  double (*samples)[REGISTER_SAMPLES];
  rg_point *found, *shifts;
  affine_map *maps;
  fft_lines<T> rows, column, two_columns, back_rows;
};

struct rg_call {
  const fv_call *call;
  fv_error *error;
  register_plan plan;
};

static fv_status
rg_done (const rg_call &c, cudaError_t code)
{
  return cuda_status (code, "Registering", c.error);
}

/* As many as fit well, `most` at most, a power of two. */
template <typename T>
static fft_lines<T>
rg_lines_of (int64_t n, int64_t most, const complex_number<T> *waves)
{
  const int64_t pitch = fft_index ((int) n - 1) + 1, bytes = pitch * (int64_t) sizeof (complex_number<T>);
  int64_t count = 1;
  while (2 * count <= most && 2 * count * bytes <= RG_LINES_BYTES)
    count *= 2;
  return {fft_plan_of (n), (int32_t) count, (int32_t) pitch, waves};
}

template <typename T>
static int64_t
rg_shared (const fft_lines<T> &lines)
{
  return (int64_t) lines.count * lines.pitch * (int64_t) sizeof (complex_number<T>);
}

static int64_t
rg_sample_blocks (const register_plan &p)
{
  return blocks_for (p.length[0], RG_ROWS) * blocks_for (p.length[1] / 2, RG_CHUNK);
}

template <typename T>
static fv_status
rg_make (const rg_call &c, rg_memory<T> *m)
{
  const register_plan &p = c.plan;
  const size_t rows = (size_t) p.length[0], columns = (size_t) p.length[1], half = rows * (columns / 2 + 1);
  if (cuda_scratch (c.call, rows * columns, &m->spectrum, c.error) || cuda_scratch (c.call, half, &m->product, c.error)
      || cuda_scratch (c.call, half, &m->back, c.error) || cuda_scratch (c.call, 2 * RG_SUM_BLOCKS, &m->sums, c.error)
      || cuda_scratch (c.call, rows / 2, &m->highest, c.error)
      || cuda_scratch (c.call, (size_t) rg_sample_blocks (p), &m->samples, c.error)
      || cuda_scratch (c.call, 1, &m->found, c.error) || cuda_scratch (c.call, (size_t) p.count, &m->shifts, c.error)
      || cuda_scratch (c.call, (size_t) p.count, &m->maps, c.error))
    return c.error->code;
  for (int axis = 0; axis < 2; axis++)
    if (cuda_scratch (c.call, (size_t) p.length[axis], &m->waves[axis], c.error)
        || cuda_scratch (c.call, (size_t) p.length[axis], &m->window[axis], c.error))
      return c.error->code;
  m->rows = rg_lines_of<T> (p.length[1], p.length[0], m->waves[1]);
  m->back_rows = rg_lines_of<T> (p.length[1], p.length[0] / 2, m->waves[1]);
  m->column = m->two_columns = rg_lines_of<T> (p.length[0], 1, m->waves[0]);
  m->two_columns.count = 2;
  const rg_tables_job<T> job = {{m->waves[0], m->waves[1]},
                                {m->window[0], m->window[1]},
                                {p.length[0], p.length[1]},
                                {p.size[0], p.size[1]},
                                ((const register_args *) c.call->args)->window};
  const int64_t longest = p.length[0] > p.length[1] ? p.length[0] : p.length[1];
  rg_tables<T><<<dim3 ((unsigned) blocks_for (longest, RG_THREADS), 2), RG_THREADS, 0, cuda_stream (c.call)>>> (job);
  return rg_done (c, cudaGetLastError ());
}

template <typename In>
static rg_source<In>
rg_source_of (const rg_call &c, const register_view &v)
{
  return {view_of<const In> (v.array), v.plane, v.depth, {c.plan.start[0], c.plan.start[1]}};
}

template <typename In, typename T>
static fv_status
rg_transform (const rg_call &c, const rg_memory<T> &m, const register_view pair[2])
{
  const register_plan &p = c.plan;
  const rg_source<In> a = rg_source_of<In> (c, pair[0]), b = rg_source_of<In> (c, pair[1]);
  const rg_sums_job<In> sums = {{a, b}, {p.size[0], p.size[1]}, m.sums};
  const rg_rows_there_job<In, T> rows = {
    m.rows, {a, b}, m.sums, {m.window[0], m.window[1]}, {p.size[0], p.size[1]}, p.length[0], m.spectrum};
  cudaError_t code = launch (rg_sums<In>, 2 * RG_SUM_BLOCKS, RG_THREADS, 0, c.call, sums);
  if (!code)
    code = launch (rg_rows_there<In, T>, p.length[0] / m.rows.count, RG_THREADS, rg_shared (m.rows), c.call, rows);
  return rg_done (c, code);
}

template <typename T>
static fv_status
rg_correlate (const rg_call &c, const rg_memory<T> &m)
{
  const register_plan &p = c.plan;
  const register_args *a = (const register_args *) c.call->args;
  const double least = register_floor (c.call->inputs[0]->grid->type, (double) p.length[0] * (double) p.length[1]);
  const rg_columns_job<T> columns = {
    m.two_columns, m.column, (int32_t) p.length[1], a->method == REGISTER_PHASE, (T) (least * least), m.spectrum,
    m.product,     m.back};
  const int64_t blocks = p.length[0] / 2 / m.back_rows.count;
  const rg_rows_back_job<T> back = {m.back_rows, p.length[0], m.back, m.highest};
  const rg_peak_job peak = {m.highest, blocks, {p.length[0], p.length[1]}, m.found};
  cudaError_t code =
    launch (rg_columns<T>, p.length[1] / 2 + 1, RG_THREADS, rg_shared (m.two_columns), c.call, columns);
  if (!code)
    code = launch (rg_rows_back<T>, blocks, RG_THREADS, rg_shared (m.back_rows), c.call, back);
  if (!code)
    code = launch (rg_peak, 1, RG_THREADS, 0, c.call, peak);
  return rg_done (c, code);
}

template <typename T>
static fv_status
rg_refine (const rg_call &c, const rg_memory<T> &m)
{
  const register_plan &p = c.plan;
  const int64_t blocks = rg_sample_blocks (p);
  cudaError_t code = cudaSuccess;
  double apart = 0.25;
  for (int turn = 0; turn < 3 && !code; turn++, apart /= 4) {
    const rg_samples_job<T> samples = {
      m.product, {p.length[0], p.length[1]}, (int32_t) blocks_for (p.length[0], RG_ROWS), apart, m.found, m.samples};
    const rg_choose_job choose = {m.samples, blocks, apart, turn == 2, m.found};
    code = launch (rg_samples<T>, blocks, RG_ROWS, 0, c.call, samples);
    if (!code)
      code = launch (rg_choose, 1, 32 * REGISTER_SAMPLES, 0, c.call, choose);
  }
  return rg_done (c, code);
}

/* Number i of the shifts, from what was found of it, if anything was. */
template <typename T>
static fv_status
rg_put (const rg_call &c, const rg_memory<T> &m, int64_t i, bool found)
{
  const register_args *a = (const register_args *) c.call->args;
  const bool on_previous = found && a->to == REGISTER_PREVIOUS && !c.call->inputs[1];
  const rg_maps_job job = {found ? m.found : NULL, on_previous ? m.shifts + i - 1 : NULL, a->upsample, m.shifts + i,
                           m.maps + i};
  return rg_done (c, launch (rg_maps, 1, 1, 0, c.call, job));
}

template <typename In, typename T>
static fv_status
rg_find (const rg_call &c, const rg_memory<T> &m)
{
  const int32_t upsample = ((const register_args *) c.call->args)->upsample;
  const int64_t first = register_first (c.call);
  if (first && rg_put (c, m, 0, false))
    return c.error->code;
  for (int64_t i = first; i < c.plan.count; i++) {
    register_view pair[2];
    register_pair (c.call, &c.plan, i - first, pair);
    if (c.call->host->tick (c.call, i, c.plan.count + 1))
      return cancelled (c.error);
    if (rg_transform<In, T> (c, m, pair) || rg_correlate (c, m) || (upsample > 1 && rg_refine (c, m))
        || rg_put (c, m, i, true))
      return c.error->code;
  }
  return FV_OK;
}

template <typename In, typename T>
static fv_status
rg_run (const rg_call &c)
{
  rg_memory<T> m;
  const affine_rule rule = register_rule (c.call, &c.plan);
  const size_t bytes = (size_t) c.plan.count * sizeof (rg_point);
  void *shifts;
  if (rg_make (c, &m) || rg_find<In, T> (c, m) || affine_run (c.call, affine_many{m.maps}, rule, "Registering", c.error)
      || c.call->host->host_scratch (c.call, bytes, &shifts, c.error)
      || c.call->host->read (c.call, shifts, m.shifts, bytes, c.error))
    return c.error->code;
  return register_table (c.call, &c.plan, (const double *) shifts, c.error);
}

static fv_status
rg_rigid (const rg_call &c)
{
  const affine_rule rule = register_rule (c.call, &c.plan);
  const size_t count = (size_t) c.plan.count, bytes = count * sizeof (affine_map);
  void *moves, *maps;
  affine_map *there;
  if (c.call->host->host_scratch (c.call, count * REGISTER_MOVES * sizeof (double), &moves, c.error)
      || c.call->host->host_scratch (c.call, bytes, &maps, c.error) || cuda_scratch (c.call, count, &there, c.error)
      || register_rigid_cuda (c.call, &c.plan, (double *) moves, (affine_map *) maps, c.error)
      || rg_done (c, cudaMemcpyAsync (there, maps, bytes, cudaMemcpyHostToDevice, cuda_stream (c.call)))
      || affine_run (c.call, affine_many{there}, rule, "Registering", c.error))
    return c.error->code;
  return register_table (c.call, &c.plan, (const double *) moves, c.error);
}

extern "C" fv_status
register_cuda (const fv_call *call, fv_error *error)
{
  const rg_call c = {call, error, register_plan_of ((const register_args *) call->args, call->inputs[0]->grid)};
  if (((const register_args *) call->args)->transform == REGISTER_RIGID)
    return rg_rigid (c);
  switch (call->inputs[0]->grid->type) {
  case FV_U8: return rg_run<uint8_t, float> (c);
  case FV_U16: return rg_run<uint16_t, float> (c);
  case FV_I32: return rg_run<int32_t, double> (c);
  case FV_F32: return rg_run<float, float> (c);
  default: return rg_run<double, double> (c);
  }
}
