/* SPDX-License-Identifier: MIT
 *
 * background on the GPU. Kernels in order; n is the number of boxes:
 *   box_kernel     256 threads a box            reads its pixels four times or more (later from the cache); counts in shared memory
 *   fill_kernel    a thread a box               what bad boxes take
 *   filter_kernel  a thread a box and field     medians of windows
 *   median_kernel  1024 threads a field         the scalars; some passes over n
 *   bend_kernel    a thread a column and field  second derivatives along columns
 *   and for each plane:
 *   node_kernel    a thread a row and field     writes 32 bytes a box and row of the image
 *   pixel_kernel   256 threads, grid-stride     reads a pixel, writes three
 * A field is the background or its deviation.
 */
#include "kernels/sky/background.h"
#include "kernels/common/blocks.cuh"
#include "kernels/sky/clip.cuh"

enum { BOX_THREADS = 256 };

/* ---- The pixels of a box ---- */

/* Of the pixels of a box that count; first: where the first one is. */
struct box_ends {
  int64_t n, first;
  double low, high;
};

__device__ __forceinline__ box_ends
join_box_ends (box_ends a, box_ends b)
{
  return {a.n + b.n, min (a.first, b.first), fmin (a.low, b.low), fmax (a.high, b.high)};
}

__device__ __forceinline__ mesh_sums
join_box_sums (mesh_sums a, mesh_sums b)
{
  return {a.n + b.n, spread_join (a.sums, b.sums), fmin (a.low, b.low), fmax (a.high, b.high)};
}

struct level_sums {
  count64 sum, squares;
};

__device__ __forceinline__ level_sums
add_level_sums (level_sums a, level_sums b)
{
  return {a.sum + b.sum, a.squares + b.squares};
}

template <typename T> struct box_job {
  view<const T> in;
  view<const uint8_t> mask; /* data NULL: none */
  mesh_shape s;
  double *back, *rms; /* [planes][down][across] */
  int *good;          /* [planes]: boxes, cleared */
};

/* What a block has of the image. */
struct box_position {
  int64_t plane, y0, x0;
  int rows, columns;

  __device__ __forceinline__ int64_t pixels (void) const
  {
    return (int64_t) rows * columns;
  }
};

/* Whether pixel p of the box counts, and its value. */
template <typename T>
__device__ __forceinline__ bool
good_pixel (const box_job<T> &job, const box_position &b, int64_t p, double *v)
{
  const int64_t y = (p | b.columns) >> 31 ? p / b.columns : (int64_t) ((uint32_t) p / (uint32_t) b.columns),
                x = p - y * b.columns;
  *v = (double) job.in.row (b.plane, b.y0 + y)[b.x0 + x];
  return fabs (*v) <= DBL_MAX && !(job.mask.data && job.mask.row (b.plane, b.y0 + y)[b.x0 + x]);
}

/* Calls f with the value and index of each pixel from begin to before end that counts. */
template <typename T, typename F>
__device__ __forceinline__ void
each_good (const box_job<T> &job, const box_position &b, int64_t begin, int64_t end, F f)
{
  double v;
  for (int64_t p = begin + threadIdx.x; p < end; p += BOX_THREADS)
    if (good_pixel (job, b, p, &v))
      f (v, p);
}

/* For all threads. Two barriers. */
template <typename T>
__device__ box_ends
ends_of_box (const box_job<T> &job, const box_position &b)
{
  __shared__ box_ends shared[32];
  box_ends e = {0, INT64_MAX, HUGE_VAL, -HUGE_VAL};
  each_good (job, b, 0, b.pixels (), [&] (double v, int64_t p) { e = join_box_ends (e, {1, p, v, v}); });
  return join_block (e, shared, join_box_ends);
}

/* For all threads. Two barriers. */
template <typename T>
__device__ mesh_sums
sums_of_box (const box_job<T> &job, const box_position &b, const mesh_box &box)
{
  __shared__ mesh_sums shared[32];
  mesh_sums s = {0, {}, HUGE_VAL, -HUGE_VAL};
  const int64_t most = (int64_t) EXACT_TERMS * BOX_THREADS;
  for (int64_t begin = 0; begin < b.pixels (); begin += most) {
    uint64_t values = 0, squares = 0;
    int n = 0;
    each_good (job, b, begin, min (begin + most, b.pixels ()), [&] (double v, int64_t) {
      if (!(v >= box.low && v <= box.high))
        return;
      const double d = v * box.about.unit - box.about.start;
      values += exact_term (d);
      squares += spread_square (d);
      s.low = fmin (s.low, v);
      s.high = fmax (s.high, v);
      n++;
    });
    s.n += n;
    exact_add (&s.sums.values, values, n);
    exact_add (&s.sums.squares, squares, n);
  }
  return join_block (s, shared, join_box_sums);
}

/* The levels about the pixels within two deviations, in shared memory. Barriers of some joins. */
template <typename T>
__device__ void
levels_of_box (const box_job<T> &job, const box_position &b, const box_ends &ends, mesh_levels *l)
{
  __shared__ mesh_box box;
  __shared__ bool done;
  if (threadIdx.x == 0) {
    double first;
    good_pixel (job, b, ends.first, &first);
    box = mesh_box_begin (ends.low, ends.high, first);
  }
  do {
    __syncthreads ();
    const mesh_sums s = sums_of_box (job, b, box);
    if (threadIdx.x == 0 && (done = mesh_box_take (&box, &s)))
      *l = mesh_levels_of (s.n, box.about.mean, box.about.sigma);
    __syncthreads ();
  } while (!done);
}

/* Turns counts into sums up to and with each. Two barriers. */
__device__ void
scan_levels (uint32_t *counts)
{
  __shared__ uint32_t sums[BOX_THREADS / 32];
  const int warp = (int) threadIdx.x / 32, lane = (int) threadIdx.x & 31, each = MESH_LEVELS / (BOX_THREADS / 32);
  uint32_t before = 0;
  for (int i = warp * each + lane; i < (warp + 1) * each; i += 32) {
    uint32_t upto = counts[i];
    for (int d = 1; d < 32; d *= 2) {
      uint32_t other = __shfl_up_sync (~0u, upto, d);
      upto += lane >= d ? other : 0;
    }
    counts[i] = before += upto;
    before = __shfl_sync (~0u, before, 31);
  }
  if (lane == 31)
    sums[warp] = before;
  __syncthreads ();
  uint32_t offset = 0;
  for (int w = 0; w < warp; w++)
    offset += sums[w];
  for (int i = warp * each + lane; i < (warp + 1) * each; i += 32)
    counts[i] += offset;
  __syncthreads ();
}

/* Of thread 0; upto: sums of counts. */
__device__ void
middle_of_levels (const uint32_t *upto, const mesh_mode &m, mesh_counts *c)
{
  const count64 base = m.low ? upto[m.low - 1] : 0, n = upto[m.high] - base;
  auto sum = [&] (int i) { return i < m.low ? 0 : upto[i] - base; };
  auto count = [&] (int i) { return i < MESH_LEVELS ? upto[i] - (i ? upto[i - 1] : 0) : 0; };
  int begin = m.low - 1, end = m.high;
  while (begin < end) {
    int at = (begin + end + 1) / 2;
    if (sum (at - 1) + sum (at) < n)
      begin = at;
    else
      end = at - 1;
  }
  c->n = (double) n;
  c->middle = begin;
  c->below = (double) sum (begin);
  if (begin >= 0)
    c->fuller = (double) max (count (begin), count (begin + 1));
}

/* upto: sums of the counts of levels. For thread 0; the whole block works. */
__device__ mesh_mode
mode_of_levels (const uint32_t *upto, const mesh_levels &l)
{
  __shared__ mesh_mode m;
  __shared__ level_sums shared[32];
  if (threadIdx.x == 0)
    m = mesh_mode_begin (&l);
  __syncthreads ();
  while (mesh_mode_goes_on (&m)) {
    level_sums s = {0, 0};
    for (int i = m.low + (int) threadIdx.x; i <= m.high; i += BOX_THREADS) {
      count64 n = upto[i] - (i ? upto[i - 1] : 0);
      s = add_level_sums (s, {n * (count64) i, n * (count64) i * (count64) i});
    }
    s = join_block (s, shared, add_level_sums);
    if (threadIdx.x == 0) {
      mesh_counts c;
      middle_of_levels (upto, m, &c);
      c.sum = (double) s.sum;
      c.squares = (double) s.squares;
      mesh_mode_turn (&m, &l, &c);
    }
    __syncthreads ();
  }
  return m;
}

/* A block of 256 a box. Barriers: some 20, and ten a turn of the mode. */
template <typename T>
__global__ void
__launch_bounds__ (BOX_THREADS, 4) box_kernel (box_job<T> job)
{
  __shared__ uint32_t counts[MESH_LEVELS];
  __shared__ mesh_levels l;
  const int64_t boxes = job.s.down * job.s.across, plane = blockIdx.x / boxes, box = blockIdx.x - plane * boxes;
  const int64_t j = box / job.s.across, y0 = j * job.s.height, x0 = (box - j * job.s.across) * job.s.width;
  const box_position b = {plane, y0, x0, (int) min (job.s.height, job.s.rows - y0),
                          (int) min (job.s.width, job.s.columns - x0)};
  for (int i = (int) threadIdx.x; i < MESH_LEVELS; i += BOX_THREADS)
    counts[i] = 0;
  const box_ends ends = ends_of_box (job, b);
  if (2 * ends.n < b.pixels ()) {
    if (threadIdx.x == 0)
      job.back[blockIdx.x] = job.rms[blockIdx.x] = (double) NAN;
    return;
  }
  levels_of_box (job, b, ends, &l);
  each_good (job, b, 0, b.pixels (), [&] (double v, int64_t) {
    int level = mesh_level (&l, v);
    if (level >= 0)
      atomicAdd (counts + level, 1u);
  });
  __syncthreads ();
  scan_levels (counts);
  const mesh_mode m = mode_of_levels (counts, l);
  if (threadIdx.x == 0) {
    job.back[blockIdx.x] = mesh_mode_value (&m, &l);
    job.rms[blockIdx.x] = m.sigma * l.width;
    atomicAdd (job.good + plane, 1);
  }
}

/* ---- The mesh ---- */

/* Values of boxes: [field][plane][down][across]. */
struct mesh_fields {
  mesh_shape s;
  int64_t planes;

  __host__ __device__ int64_t boxes (void) const
  {
    return s.down * s.across;
  }
  __host__ __device__ int64_t all (void) const
  {
    return planes * boxes ();
  }
};

__global__ void
__launch_bounds__ (BOX_THREADS) fill_kernel (mesh_fields m, const double *from, double *to, const int *good)
{
  int64_t at = (int64_t) blockIdx.x * BOX_THREADS + threadIdx.x;
  if (at >= m.all ())
    return;
  const int64_t plane = at / m.boxes ();
  const double *back = from + plane * m.boxes (), *rms = back + m.all ();
  double near[2] = {from[at], from[m.all () + at]};
  if (isnan (near[0]) && good[plane])
    mesh_nearest (&m.s, back, rms, at - plane * m.boxes (), near);
  to[at] = near[0];
  to[m.all () + at] = near[1];
}

__global__ void
__launch_bounds__ (BOX_THREADS) filter_kernel (mesh_fields m, const double *from, double *to)
{
  int64_t at = (int64_t) blockIdx.x * BOX_THREADS + threadIdx.x, box = at % m.boxes ();
  if (at < 2 * m.all ())
    to[at] = mesh_window_median (&m.s, from + at - box, box / m.s.across, box % m.s.across);
}

/* A block of 1024 a plane and field: counts keys as clip.h says until the median is found. */
__global__ void
__launch_bounds__ (CLIP_THREADS) median_kernel (mesh_fields m, const double *values, double *scalars)
{
  __shared__ clip c;
  __shared__ uint32_t counts[CLIP_BINS];
  const int64_t plane = blockIdx.x / 2, field = blockIdx.x % 2;
  values += field * m.all () + plane * m.boxes ();
  if (threadIdx.x == 0)
    clip_begin (&c, FV_F64, 1, 0);
  __syncthreads ();
  clip_find_median (
    &c, m.boxes (), [&] (int64_t i) { return (count64) key_of (values[i]); }, counts);
  if (threadIdx.x == 0)
    scalars[plane * BACKGROUND_SCALARS + field] =
      c.found ? (key_value (FV_F64, c.middle) + key_value (FV_F64, c.next)) / 2 + 0.0 : (double) NAN;
}

__global__ void
__launch_bounds__ (BOX_THREADS) bend_kernel (mesh_fields m, const double *value, double *bend, const double *factor)
{
  int64_t at = (int64_t) blockIdx.x * BOX_THREADS + threadIdx.x;
  if (at >= 2 * m.planes * m.s.across)
    return;
  const int64_t group = at / m.s.across, start = group * m.boxes () + at - group * m.s.across;
  mesh_bend (bend + start, value + start, m.s.down, m.s.across, factor);
}

/* ---- Pixels ---- */

/* Nodes of the rows of one plane and what bends them: [field][2][across][rows]. */
__global__ void
__launch_bounds__ (BOX_THREADS) node_kernel (mesh_fields m, int64_t plane, const double *value, const double *bend,
                                             const double *factor, double *nodes)
{
  int64_t at = (int64_t) blockIdx.x * BOX_THREADS + threadIdx.x;
  if (at >= 2 * m.s.rows)
    return;
  const int64_t field = at / m.s.rows, y = at - field * m.s.rows, size = m.s.across * m.s.rows;
  const int64_t from = field * m.all () + plane * m.boxes ();
  double *node = nodes + field * 2 * size + y, *bends = node + size;
  for (int64_t i = 0; i < m.s.across; i++)
    node[i * m.s.rows] = mesh_row_node (value + from + i, bend + from + i, m.s.down, m.s.across, y, m.s.height);
  if (m.s.down > 1)
    mesh_bend (bends, node, m.s.across, m.s.rows, factor);
  else
    for (int64_t i = 0; i < m.s.across; i++)
      bends[i * m.s.rows] = 0;
}

template <typename T, typename R>
__global__ void
__launch_bounds__ (BOX_THREADS) pixel_kernel (view<const T> in, view<R> subtracted, view<R> back, view<R> rms,
                                              mesh_shape s, int64_t plane, const double *nodes)
{
  const int64_t size = s.across * s.rows, n = s.rows * s.columns;
  const double half = 0.5 / (double) s.width;
  for (int64_t p = (int64_t) blockIdx.x * BOX_THREADS + threadIdx.x; p < n; p += (int64_t) gridDim.x * BOX_THREADS) {
    const int64_t y = (n | s.columns) >> 31 ? p / s.columns : (int64_t) ((uint32_t) p / (uint32_t) s.columns);
    const int64_t x = p - y * s.columns;
    const double *node = nodes + y;
    double v[2] = {node[0], node[2 * size]};
    if (s.across > 1) {
      const int64_t k = mesh_column_node (x, s.width, s.across);
      const double t = (double) mesh_column_position (x, s.width, k) * half;
      node += k * s.rows;
      for (int f = 0; f < 2; f++, node += 2 * size)
        v[f] = mesh_between (node[0], node[s.rows], node[size], node[size + s.rows], t);
    }
    subtracted.row (plane, y)[x] = (R) ((double) in.row (plane, y)[x] - v[0]);
    back.row (plane, y)[x] = (R) v[0];
    rms.row (plane, y)[x] = (R) v[1];
  }
}

/* ---- The host's side ---- */

struct background_work {
  const fv_call *call;
  mesh_fields m;
  double *value, *other, *bend, *factor, *nodes;
  int *good;
};

static unsigned
box_blocks (int64_t n)
{
  return (unsigned) blocks_for (n, BOX_THREADS);
}

static fv_status
make_work (background_work *w, fv_error *error)
{
  const fv_call *call = w->call;
  const fv_array *in = call->inputs[BACKGROUND_IMAGE];
  w->m.s = mesh_shape_of ((const background_args *) call->args, in->grid);
  w->m.planes = array_planes (in);
  const size_t all = (size_t) w->m.all (), planes = (size_t) w->m.planes;
  const size_t longest = (size_t) (w->m.s.down > w->m.s.across ? w->m.s.down : w->m.s.across);
  const size_t nodes = 4 * (size_t) (w->m.s.across * w->m.s.rows);
  void *factors;
  fv_status status = cuda_scratch (call, 6 * all + longest + nodes + (planes + 1) / 2, &w->value, error);
  if (!status)
    status = call->host->host_scratch (call, longest * sizeof (double), &factors, error);
  if (status)
    return status;
  w->other = w->value + 2 * all;
  w->bend = w->other + 2 * all;
  w->factor = w->bend + 2 * all;
  w->nodes = w->factor + longest;
  w->good = (int *) (w->nodes + nodes);
  mesh_factors ((double *) factors, (int64_t) longest);
  status = call->device->copy (call->device, call->stream, w->factor, longest * sizeof (double), factors,
                               longest * sizeof (double), longest * sizeof (double), 1, FV_TO_DEVICE, error);
  return status ? status
                : cuda_status (cudaMemsetAsync (w->good, 0, planes * sizeof (int), cuda_stream (call)),
                               "Clearing the counts of boxes", error);
}

template <typename T>
static fv_status
make_mesh (background_work *w, fv_error *error)
{
  const fv_array *mask = w->call->inputs[BACKGROUND_MASK];
  const mesh_fields &m = w->m;
  cudaStream_t stream = cuda_stream (w->call);
  box_job<T> job = {};
  job.in = view_of<const T> (w->call->inputs[BACKGROUND_IMAGE]);
  if (mask)
    job.mask = view_of<const uint8_t> (mask);
  if (mask && job.mask.planes == 1)
    job.mask.plane_stride = 0;
  job.s = m.s;
  job.back = w->value;
  job.rms = w->value + m.all ();
  job.good = w->good;
  box_kernel<T><<<(unsigned) m.all (), BOX_THREADS, 0, stream>>> (job);
  fill_kernel<<<box_blocks (m.all ()), BOX_THREADS, 0, stream>>> (m, w->value, w->other, w->good);
  filter_kernel<<<box_blocks (2 * m.all ()), BOX_THREADS, 0, stream>>> (m, w->other, w->value);
  median_kernel<<<(unsigned) (2 * m.planes), CLIP_THREADS, 0, stream>>> (m, w->value, w->call->scalars);
  bend_kernel<<<box_blocks (2 * m.planes * m.s.across), BOX_THREADS, 0, stream>>> (m, w->value, w->bend, w->factor);
  return cuda_status (cudaGetLastError (), "Measuring the background", error);
}

template <typename T, typename R>
static fv_status
write_planes (const background_work *w, fv_error *error)
{
  const fv_call *call = w->call;
  const mesh_shape &s = w->m.s;
  const int64_t blocks = box_blocks (s.rows * s.columns), most = 64 * (int64_t) multiprocessors ();
  cudaStream_t stream = cuda_stream (call);
  for (int64_t plane = 0; plane < w->m.planes; plane++) {
    if (call->host->tick (call, plane, w->m.planes))
      return cancelled (error);
    node_kernel<<<box_blocks (2 * s.rows), BOX_THREADS, 0, stream>>> (w->m, plane, w->value, w->bend, w->factor,
                                                                      w->nodes);
    pixel_kernel<T, R><<<(unsigned) (blocks < most ? blocks : most), BOX_THREADS, 0, stream>>> (
      view_of<const T> (call->inputs[BACKGROUND_IMAGE]), view_of<R> (call->outputs[BACKGROUND_SUBTRACTED]),
      view_of<R> (call->outputs[BACKGROUND_BACK]), view_of<R> (call->outputs[BACKGROUND_RMS]), s, plane, w->nodes);
  }
  return cuda_status (cudaGetLastError (), "Subtracting the background", error);
}

extern "C" fv_status
background_cuda (const fv_call *call, fv_error *error)
{
  background_work w = {};
  w.call = call;
  fv_status status = make_work (&w, error);
  if (status)
    return status;
  return with_type (call->inputs[BACKGROUND_IMAGE]->grid->type, [&] (auto zero) {
    using T = decltype (zero);
    using R = typename std::conditional<std::is_same<T, double>::value, double, float>::type;
    fv_status made = make_mesh<T> (&w, error);
    return made ? made : write_planes<T, R> (&w, error);
  });
}
