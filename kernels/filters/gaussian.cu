/* SPDX-License-Identifier: MIT
 *
 * gaussian on the GPU. Sums are in float, or in double where gaussian_working_type() says so. Along x and y in one
 * launch, where radii are small: gaussian_plane.cuh. Here, where they are not, and along z, with an array of the
 * working type between the passes. Kernels wait for each other only by the order of the stream.
 * - blur_rows, along x: 128 threads, 32 rows x 64 columns, TILE taps at a time through two buffers in shared memory.
 *   Reads one pixel from memory and 1 + radius/32 to 1.5 times that from the L2, writes one of the working type. One
 *   __syncthreads a tile, before it is read.
 * - blur_along, along y or z: 256 threads, 64 columns x 64 rows, 64 taps at a time through a ring of 192 rows. Reads
 *   one of the working type from memory and 1 + radius/32 from the L2, writes one pixel. One __syncthreads for 64 taps,
 *   before their rows are read.
 * - make_weights, before each of these: 1024 threads; writes 2 radius numbers. Eleven __syncthreads about a sum.
 * - sample_base, before them on an image of integers: 1024 threads; reads 1024 pixels. Two __syncthreads about a sum.
 */
#include "kernels/filters/gaussian_plane.cuh"
#include "kernels/filters/gaussian_steps.cuh"

enum {
  TILE = 128, /* taps summed by themselves, so that rounding does not add up */
  GROUPS = 4, /* of EACH outputs, in a block of blur_along */
};

/* ---- One axis at a time ---- */

enum { SAMPLES = 1024 };

template <typename In, typename T> struct base_job {
  view<const In> in;
  T *base;
};

/* From pixels all over the image. */
template <typename In, typename T>
__global__ void
__launch_bounds__ (SAMPLES) sample_base (const __grid_constant__ base_job<In, T> job)
{
  __shared__ unsigned sum;
  const int64_t i = threadIdx.x;
  if (i == 0)
    sum = 0;
  __syncthreads ();
  const In *row = job.in.row (job.in.planes * i / SAMPLES, i % 32 * job.in.rows / 32);
  unsigned part = __reduce_add_sync (~0u, (unsigned) row[i / 32 * job.in.columns / 32]);
  if (i % 32 == 0)
    atomicAdd (&sum, part);
  __syncthreads ();
  if (i == 0)
    *job.base = base_of<T> (sum, SAMPLES);
}

template <typename T> struct weights_job {
  T *weights;
  int32_t radius, count, order;
  double sigma;
};

/* weights[0 ... 2 radius] by gaussian_weights() and gaussian_derivative(), and zeros up to the end of the table. */
template <typename T>
__global__ void
make_weights (const __grid_constant__ weights_job<T> job)
{
  __shared__ double part[1024];
  const int me = (int) threadIdx.x;
  double sum = 0, factor = -0.5 / (job.sigma * job.sigma);
  for (int k = 1 + me; k <= job.radius; k += 1024)
    sum += 2 * exp (factor * k * k);
  part[me] = sum;
  for (int half = 512; half > 0; half /= 2) {
    __syncthreads ();
    if (me < half)
      part[me] += part[me + half];
  }
  __syncthreads ();
  sum = 1 + part[0];
  for (int i = me; i < job.count; i += 1024) {
    double k = i - job.radius, weight = (k == 0 ? 1 : exp (factor * k * k)) / sum;
    job.weights[i] = i > 2 * job.radius ? (T) 0 : (T) (weight * gaussian_derivative (job.order, k, job.sigma));
  }
}

template <typename In, typename T> struct rows_job {
  source<In, T> from;
  view<T> out;
  const T *weights;
  int32_t radius, across, down;
  const T *base; /* what is taken from the input, or NULL */
};

template <typename T> constexpr int rows_pitch = pitch_of<T> (COLUMNS + TILE);
template <typename T> constexpr int rows_all = STEP *rows_pitch<T> + 2 * CHUNK;

template <typename In, typename T>
__device__ __forceinline__ void
fetch_tile (const rows_job<In, T> &job, strip<T> at, int first, T *memory)
{
  const int taps = min (TILE, 2 * job.radius + 1 - first);
  at.left += first;
  fetch_rows<BLOCK / 32> (job.from, at, 0, memory + first / TILE % 2 * rows_all<T>, COLUMNS + (taps + 3) / 4 * 4,
                          rows_pitch<T>);
}

template <typename In, typename T>
__global__ void
__launch_bounds__ (BLOCK) blur_rows (const __grid_constant__ rows_job<In, T> job)
{
  extern __shared__ __align__ (16) unsigned char shared[];
  T *memory = (T *) shared;
  const int row = (int) threadIdx.x / 32 * 8 + (int) threadIdx.x % 8, segment = (int) threadIdx.x % 32 / 8;
  unsigned block = blockIdx.x;
  const int x0 = (int) (block % (unsigned) job.across) * COLUMNS, x = x0 + segment * EACH;
  block /= (unsigned) job.across;
  const int y0 = (int) (block % (unsigned) job.down) * STEP, all = 2 * job.radius + 1;
  const strip<T> at = {block / (unsigned) job.down, y0, x0 - job.radius, min (STEP, (int) job.out.rows - y0),
                       job.base ? *job.base : 0};
  T total[EACH] = {};
  fetch_tile (job, at, 0, memory);
  for (int first = 0; first < all; first += TILE) {
    __pipeline_wait_prior (0);
    __syncthreads ();
    if (first + TILE < all)
      fetch_tile (job, at, first + TILE, memory);
    const T *from = memory + first / TILE % 2 * rows_all<T> + row * rows_pitch<T> + segment * EACH;
    T sum[EACH] = {};
    weigh (sum, job.weights + first, min (TILE, all - first), [&] (T *v) {
      read_chunk (v, from);
      from += CHUNK;
    });
    for (int j = 0; j < EACH; j++)
      total[j] += sum[j];
  }
  if (row >= at.rows)
    return;
  T *to = job.out.row (at.plane, y0 + row) + x;
  if (job.out.columns % in_16<T> == 0 && x + EACH <= job.out.columns)
    write_each (to, total);
  else
#pragma unroll
    for (int j = 0; j < EACH; j++)
      if (x + j < job.out.columns)
        to[j] = total[j];
}

/* Rows are what lies along the axis: y of a plane, or z of what has the same y. */
template <typename Out, typename T> struct along_job {
  source<T, T> from;
  view<Out> out;
  const T *weights;
  int32_t radius, across, down;
  const T *base; /* what the input lacks, or NULL */
  bool last;     /* the output is not to lack it */
};

/* PART taps need two parts of PART rows, while a third is on its way. */
enum { PART = GROUPS * EACH, PARTS_HELD = 3 };

template <typename T>
__device__ __forceinline__ void
fetch_part (const source<T, T> &from, const strip<T> &at, int part, T *ring)
{
  T *to = ring + part % PARTS_HELD * PART * COLUMNS;
  for (int i = 0; i < PART && part * PART + i < at.rows; i += STEP)
    fetch_rows<COLUMNS * GROUPS / 32> (from, at, part * PART + i, to + i * COLUMNS, COLUMNS, COLUMNS);
}

template <typename Out, typename T>
__global__ void
__launch_bounds__ (COLUMNS *GROUPS, sizeof (T) == 4 ? 3 : 1) blur_along (const __grid_constant__ along_job<Out, T> job)
{
  extern __shared__ __align__ (16) unsigned char shared[];
  T *ring = (T *) shared;
  const int column = (int) threadIdx.x % COLUMNS, group = (int) threadIdx.x / COLUMNS * EACH;
  unsigned block = blockIdx.x;
  const int x0 = (int) (block % (unsigned) job.across) * COLUMNS;
  block /= (unsigned) job.across;
  const int y0 = (int) (block % (unsigned) job.down) * PART, rows = (int) job.out.rows, all = 2 * job.radius + 1;
  const T base = job.base ? *job.base : 0;
  const strip<T> at = {block / (unsigned) job.down, y0 - job.radius, x0, min (PART, rows - y0) + 2 * job.radius, base};
  T total[EACH] = {};
  fetch_part (job.from, at, 0, ring);
  fetch_part (job.from, at, 1, ring);
  for (int part = 0; part * PART < all; part++) {
    __pipeline_wait_prior (0);
    __syncthreads ();
    fetch_part (job.from, at, part + 2, ring);
    const T *end = ring + PARTS_HELD * PART * COLUMNS;
    const T *from = ring + (part % PARTS_HELD * PART + group) * COLUMNS + column;
    T sum[EACH] = {};
    weigh (sum, job.weights + part * PART, min ((int) PART, all - part * PART), [&] (T *v) {
      for (int i = 0; i < CHUNK; i++)
        v[i] = from[i * COLUMNS];
      from += CHUNK * COLUMNS;
      from = from >= end ? from - PARTS_HELD * PART * COLUMNS : from;
    });
    for (int j = 0; j < EACH; j++)
      total[j] += sum[j];
  }
  if (x0 + column >= job.out.columns)
    return;
  Out *to = job.out.row (at.plane, y0 + group) + x0 + column;
#pragma unroll
  for (int j = 0; j < EACH; j++, to += job.out.row_stride)
    if (y0 + group + j < rows)
      *to = finished<Out, sizeof (T) == 4> (total[j], job.last ? base : 0);
}

/* ---- The whole ---- */

struct blur {
  const fv_call *call;
  fv_error *error;
  int64_t radius[3];
  double sigma[3];
  int32_t order[3];
  border outside;
  double value[3];  /* outside, before the pass along each axis: x, y, z */
  const void *base; /* on the GPU, in the working type; NULL: none, or blur_plane finds its own */
};

/* Whether the launch was taken and the host wants to go on. */
static fv_status
blur_done (const blur *b, cudaError_t code, int64_t done)
{
  if (cuda_status (code, "gaussian", b->error))
    return b->error->code;
  return b->call->host->tick (b->call, done, 3) ? cancelled (b->error) : FV_OK;
}

/* Bytes of shared memory that blur_plane needs. */
template <typename T>
static int64_t
plane_bytes (int64_t radius_y, int64_t radius_x)
{
  return plane_memory<T> ((int) radius_y, (int) radius_x).all * (int64_t) sizeof (T);
}

/* The input, for blocks of which the rows begin at multiples of COLUMNS less radius_x. */
template <typename In, typename T>
static source<In, T>
source_of (const blur *b, view<const In> in)
{
  bool aligned = rows_aligned (b->call->inputs[0], sizeof (In) < 4 ? PIECE * sizeof (In) : 16);
  return {in, aligned && b->radius[2] % PIECE == 0, b->outside, (T) b->value[2]};
}

/* All blocks, those first for which the rows have come. */
template <typename In, typename Out, typename T>
static fv_status
launch_planes (const blur *b, plane_job<In, Out, T> *job, int64_t bytes)
{
  const view<const In> &in = job->from.in;
  const int64_t height = (int64_t) job->steps * STEP, all = job->down, radius = job->radius_y;
  int64_t end;
  while (job->first < all) {
    int64_t needed = (job->first + 1) * height + radius;
    if (needed > in.rows || in.planes > 1 || b->outside == BORDER_WRAP)
      needed = in.rows;
    if (b->call->host->rows_in (b->call, 0, needed, &end, b->error))
      return b->error->code;
    job->down = (int32_t) ((end < in.rows ? (end - radius) / height : all) - job->first);
    if (blur_done (b, launch (blur_plane<In, Out, T>, in.planes * job->down * job->across, BLOCK, bytes, b->call, *job),
                   1))
      return b->error->code;
    job->first += job->down;
  }
  return FV_OK;
}

template <typename In, typename Out, typename T>
static fv_status
run_plane (const blur *b, view<const In> in, view<Out> out)
{
  plane_job<In, Out, T> job = {source_of<In, T> (b, in), out, (int32_t) b->radius[1], (int32_t) b->radius[2]};
  double weights[FUSED + 1];
  const int64_t bytes = plane_bytes<T> (job.radius_y, job.radius_x);
  int64_t resident = gaussian_attribute (cudaDevAttrMaxSharedMemoryPerMultiprocessor) / (bytes + 1024);
  resident = resident < 1 ? 1 : resident > RESIDENT ? (int64_t) RESIDENT : resident;
  job.across = (int32_t) blocks_for (in.columns, COLUMNS);
  job.steps = choose_steps (in.rows, job.across * in.planes, 2.0 * (double) b->radius[1] / STEP, resident);
  job.down = (int32_t) blocks_for (in.rows, (int64_t) job.steps * STEP);
  job.base = (const T *) b->base;
  for (int axis = 1; axis < 3; axis++) {
    gaussian_weights (weights, b->radius[axis], b->sigma[axis]);
    for (int64_t k = 0; k <= b->radius[axis]; k++)
      (axis == 1 ? job.weight_y : job.weight_x)[k] =
        (T) (weights[k] * gaussian_derivative (b->order[axis], (double) k, b->sigma[axis]));
    (axis == 1 ? job.odd_y : job.odd_x) = b->order[axis] == 1;
  }
  return launch_planes (b, &job, bytes);
}

template <typename T>
static fv_status
weights_table (const blur *b, int axis, const T **weights)
{
  weights_job<T> job = {};
  job.count = (int32_t) (2 * b->radius[axis] / CHUNK + 3) * CHUNK;
  if (cuda_scratch (b->call, (size_t) job.count, &job.weights, b->error))
    return b->error->code;
  job.radius = (int32_t) b->radius[axis];
  job.order = b->order[axis];
  job.sigma = b->sigma[axis];
  *weights = job.weights;
  return cuda_status (launch (make_weights<T>, 1, 1024, 0, b->call, job), "gaussian", b->error);
}

template <typename In, typename T>
static fv_status
run_rows (const blur *b, view<const In> in, view<T> out)
{
  rows_job<In, T> job = {source_of<In, T> (b, in), out, NULL, (int32_t) b->radius[2]};
  job.across = (int32_t) blocks_for (in.columns, COLUMNS);
  job.down = (int32_t) blocks_for (in.rows, STEP);
  job.base = (const T *) b->base;
  if (weights_table (b, 2, &job.weights))
    return b->error->code;
  int64_t blocks = in.planes * job.down * job.across, bytes = 2 * rows_all<T> * (int64_t) sizeof (T);
  return blur_done (b, launch (blur_rows<In, T>, blocks, BLOCK, bytes, b->call, job), 1);
}

template <typename T>
static view<T>
along_z (view<T> v)
{
  return {v.data, v.rows, v.planes, v.columns, v.row_stride, v.plane_stride};
}

/* Along axis 0 or 1 of scratch; `last`: this makes the output of the operation. */
template <typename Out, typename T>
static fv_status
run_along (const blur *b, int axis, bool last, view<T> between, view<Out> out)
{
  const view<T> &v = between;
  view<const T> in = {v.data, v.planes, v.rows, v.columns, v.plane_stride, v.row_stride};
  along_job<Out, T> job = {{axis == 0 ? along_z (in) : in, in.columns % PIECE == 0, b->outside, (T) b->value[axis]},
                           axis == 0 ? along_z (out) : out};
  job.radius = (int32_t) b->radius[axis];
  job.across = (int32_t) blocks_for (in.columns, COLUMNS);
  job.down = (int32_t) blocks_for (job.out.rows, PART);
  job.base = (const T *) b->base;
  job.last = last;
  if (weights_table (b, axis, &job.weights))
    return b->error->code;
  int64_t blocks = job.out.planes * job.down * job.across, bytes = PARTS_HELD * PART * COLUMNS * (int64_t) sizeof (T);
  return blur_done (b, launch (blur_along<Out, T>, blocks, COLUMNS * GROUPS, bytes, b->call, job), 3 - axis);
}

/* Memory of the working type and the shape of the image. */
template <typename T>
static fv_status
middle (const blur *b, view<T> *v)
{
  const int64_t *n = b->call->inputs[0]->tensor.shape;
  *v = {NULL, n[0], n[1], n[2], n[1] * n[2], n[2]};
  return cuda_scratch (b->call, (size_t) (n[0] * n[1] * n[2]), &v->data, b->error);
}

template <typename In> constexpr bool float_is_enough = sizeof (In) < 4 || (sizeof (In) == 4 && In (0.5) != 0);

/* Whether blur_plane can do it. */
template <typename In, typename T>
static bool
in_one (const blur *b)
{
  return float_is_enough<In> == (sizeof (T) == 4) && b->radius[1] <= FUSED && b->radius[2] <= FUSED
         && plane_bytes<T> (b->radius[1], b->radius[2]) <= gaussian_attribute (cudaDevAttrMaxSharedMemoryPerBlockOptin);
}

template <typename In, typename Out, typename T>
static fv_status
blur_planes (const blur *b, bool last, view<const In> in, view<Out> out)
{
  view<T> between;
  if constexpr (float_is_enough<In> == (sizeof (T) == 4))
    if (in_one<In, T> (b))
      return run_plane<In, Out, T> (b, in, out);
  if (middle (b, &between) || run_rows<In, T> (b, in, between))
    return b->error->code;
  return run_along<Out, T> (b, 1, last, between, out);
}

/* What all passes of this call take from integers. */
template <typename In, typename T>
static fv_status
make_base (blur *b, view<const In> in)
{
  base_job<In, T> job = {in};
  if (cuda_scratch (b->call, 1, &job.base, b->error))
    return b->error->code;
  b->base = job.base;
  return cuda_status (launch (sample_base<In, T>, 1, SAMPLES, 0, b->call, job), "gaussian", b->error);
}

template <typename In, typename Out, typename T>
static fv_status
blur_all (blur *b)
{
  view<const In> in = view_of<const In> (b->call->inputs[0]);
  view<Out> out = view_of<Out> (b->call->outputs[0]);
  view<T> between;
  const bool volume = b->radius[0] > 0 || b->order[0];
  int64_t end;
  if ((volume || !in_one<In, T> (b)) && b->call->host->rows_in (b->call, 0, in.rows, &end, b->error))
    return b->error->code;
  if constexpr (has_base<In, T>)
    if ((b->outside != BORDER_CONSTANT || Out (0.5) == 0) && (volume || !in_one<In, T> (b)) && make_base<In, T> (b, in))
      return b->error->code;
  if (!volume)
    return blur_planes<In, Out, T> (b, true, in, out);
  if (middle (b, &between) || blur_planes<In, T, T> (b, false, in, between))
    return b->error->code;
  return run_along<Out, T> (b, 0, true, between, out);
}

/* To the input's type, or to float: what gaussian_infer() says. */
template <typename In, typename T>
static fv_status
blur_to (blur *b)
{
  if (b->call->outputs[0]->grid->type == b->call->inputs[0]->grid->type)
    return blur_all<In, In, T> (b);
  return blur_all<In, float, T> (b);
}

extern "C" fv_status
gaussian_cuda (const fv_call *call, fv_error *error)
{
  const gaussian_args *a = (const gaussian_args *) call->args;
  const fv_grid *in = call->inputs[0]->grid;
  blur b = {};
  b.call = call;
  b.error = error;
  b.outside = (border) a->border;
  for (int i = 0; i < 3; i++) {
    b.radius[i] = gaussian_radius (a, in, i);
    b.sigma[i] = gaussian_sigma (a, in, i);
    b.order[i] = a->order[i];
  }
  b.value[2] = a->value;
  for (int i = 1; i >= 0; i--)
    b.value[i] = b.value[i + 1] * gaussian_gain (a, in, i + 1);
  if (call->host->tick (call, 0, 3))
    return cancelled (error);
  bool wide = gaussian_working_type (a, in) == FV_F64;
  return with_type (in->type, [&] (auto zero) {
    using In = decltype (zero);
    if constexpr (float_is_enough<In>)
      return wide ? blur_to<In, double> (&b) : blur_to<In, float> (&b);
    else
      return blur_to<In, double> (&b);
  });
}
