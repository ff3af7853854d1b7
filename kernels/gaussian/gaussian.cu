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
 */
#include "kernels/gaussian/gaussian.h"
#include "kernels/gaussian/gaussian_imagej.h"
#include "kernels/gaussian/gaussian_plane.cuh"
#include "kernels/gaussian/gaussian_steps.cuh"
#include "kernels/gaussian/gaussian_weights.h"

enum {
  TILE = 2 * GAUSSIAN_BLOCK, /* taps */
  GROUPS = 4,                /* of GAUSSIAN_EACH outputs, in a block of blur_along */
};

/* ---- One axis at a time ---- */

template <typename In, typename T> struct rows_job {
  source<In, T> from;
  view<T> out;
  const T *weights;
  int32_t radius, across, down;
};

template <typename T> constexpr int rows_pitch = pitch_of<T> (GAUSSIAN_COLUMNS + TILE);
template <typename T> constexpr int rows_all = GAUSSIAN_STEP *rows_pitch<T> + 2 * GAUSSIAN_CHUNK;

template <typename In, typename T>
__device__ __forceinline__ void
fetch_tile (const rows_job<In, T> &job, strip at, int first, T *memory)
{
  const int taps = min (TILE, 2 * job.radius + 1 - first);
  at.left += first;
  fetch_rows<GAUSSIAN_THREADS / 32> (job.from, at, 0, memory + first / TILE % 2 * rows_all<T>,
                                     GAUSSIAN_COLUMNS + (taps + 3) / 4 * 4, rows_pitch<T>);
}

template <typename In, typename T>
__global__ void
__launch_bounds__ (GAUSSIAN_THREADS) blur_rows (const __grid_constant__ rows_job<In, T> job)
{
  extern __shared__ __align__ (16) unsigned char shared[];
  T *memory = (T *) shared;
  const int row = (int) threadIdx.x / 32 * 8 + (int) threadIdx.x % 8, segment = (int) threadIdx.x % 32 / 8;
  unsigned block = blockIdx.x;
  const int x0 = (int) (block % (unsigned) job.across) * GAUSSIAN_COLUMNS, x = x0 + segment * GAUSSIAN_EACH;
  block /= (unsigned) job.across;
  const int y0 = (int) (block % (unsigned) job.down) * GAUSSIAN_STEP, all = 2 * job.radius + 1;
  const strip at = {block / (unsigned) job.down, y0, x0 - job.radius, min (GAUSSIAN_STEP, (int) job.out.rows - y0)};
  T sum[GAUSSIAN_EACH];
  start_sum (sum);
  fetch_tile (job, at, 0, memory);
  for (int first = 0; first < all; first += TILE) {
    __pipeline_wait_prior (0);
    __syncthreads ();
    if (first + TILE < all)
      fetch_tile (job, at, first + TILE, memory);
    const T *from = memory + first / TILE % 2 * rows_all<T> + row * rows_pitch<T> + segment * GAUSSIAN_EACH;
    weigh (sum, job.weights + first, min ((int) TILE, all - first), [=] (int tap) {
      return [from = from + tap] (T *v) mutable {
        read_chunk (v, from);
        from += GAUSSIAN_CHUNK;
      };
    });
  }
  if (row >= at.rows)
    return;
  T *to = job.out.row (at.plane, y0 + row) + x;
  if (job.out.columns % in_16<T> == 0 && x + GAUSSIAN_EACH <= job.out.columns)
    write_each (to, sum);
  else
#pragma unroll
    for (int j = 0; j < GAUSSIAN_EACH; j++)
      if (x + j < job.out.columns)
        to[j] = sum[j];
}

/* Rows are what lies along the axis: y of a plane, or z of what has the same y. */
template <typename Out, typename T> struct along_job {
  source<T, T> from;
  view<Out> out;
  const T *weights;
  int32_t radius, across, down;
};

static_assert ((int) GROUPS * (int) GAUSSIAN_EACH == GAUSSIAN_BLOCK);
/* PART taps need two parts of PART rows, while a third is on its way. */
enum { PART = GROUPS * GAUSSIAN_EACH, PARTS_HELD = 3 };

template <typename T>
__device__ __forceinline__ void
fetch_part (const source<T, T> &from, const strip &at, int part, T *ring)
{
  T *to = ring + part % PARTS_HELD * PART * GAUSSIAN_COLUMNS;
  for (int i = 0; i < PART && part * PART + i < at.rows; i += GAUSSIAN_STEP)
    fetch_rows<GAUSSIAN_COLUMNS * GROUPS / 32> (from, at, part * PART + i, to + i * GAUSSIAN_COLUMNS, GAUSSIAN_COLUMNS,
                                                GAUSSIAN_COLUMNS);
}

template <typename Out, typename T>
__global__ void
__launch_bounds__ (GAUSSIAN_COLUMNS *GROUPS, sizeof (T) == 4 ? 3 : 1)
  blur_along (const __grid_constant__ along_job<Out, T> job)
{
  extern __shared__ __align__ (16) unsigned char shared[];
  T *ring = (T *) shared;
  const int column = (int) threadIdx.x % GAUSSIAN_COLUMNS, group = (int) threadIdx.x / GAUSSIAN_COLUMNS * GAUSSIAN_EACH;
  unsigned block = blockIdx.x;
  const int x0 = (int) (block % (unsigned) job.across) * GAUSSIAN_COLUMNS;
  block /= (unsigned) job.across;
  const int y0 = (int) (block % (unsigned) job.down) * PART, rows = (int) job.out.rows, all = 2 * job.radius + 1;
  const strip at = {block / (unsigned) job.down, y0 - job.radius, x0, min ((int) PART, rows - y0) + 2 * job.radius};
  T sum[GAUSSIAN_EACH];
  start_sum (sum);
  fetch_part (job.from, at, 0, ring);
  fetch_part (job.from, at, 1, ring);
  for (int part = 0; part * PART < all; part++) {
    __pipeline_wait_prior (0);
    __syncthreads ();
    fetch_part (job.from, at, part + 2, ring);
    const T *end = ring + PARTS_HELD * PART * GAUSSIAN_COLUMNS;
    const T *from = ring + (part % PARTS_HELD * PART + group) * GAUSSIAN_COLUMNS + column;
    weigh (sum, job.weights + part * PART, min ((int) PART, all - part * PART), [=] (int) {
      return [=, from = from] (T *v) mutable {
        for (int i = 0; i < GAUSSIAN_CHUNK; i++)
          v[i] = from[i * GAUSSIAN_COLUMNS];
        from += GAUSSIAN_CHUNK * GAUSSIAN_COLUMNS;
        from = from >= end ? from - PARTS_HELD * PART * GAUSSIAN_COLUMNS : from;
      };
    });
  }
  if (x0 + column >= job.out.columns)
    return;
  Out *to = job.out.row (at.plane, y0 + group) + x0 + column;
#pragma unroll
  for (int j = 0; j < GAUSSIAN_EACH; j++, to += job.out.row_stride)
    if (y0 + group + j < rows)
      *to = pixel_from<Out> (sum[j]);
}

/* ---- The whole ---- */

struct blur {
  const fv_call *call;
  fv_error *error;
  int64_t radius[3];
  double *weights[3]; /* the center first */
  bool odd[3];        /* those before the center are negative */
  border outside;
  double value[3]; /* outside, before the pass along each axis */
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

/* The input, for blocks of which the rows begin at multiples of GAUSSIAN_COLUMNS less radius_x. */
template <typename In, typename T>
static source<In, T>
source_of (const blur *b, view<const In> in)
{
  bool aligned = rows_aligned (b->call->inputs[0], sizeof (In) < 4 ? GAUSSIAN_PIECE * sizeof (In) : 16);
  return {in, aligned && b->radius[2] % GAUSSIAN_PIECE == 0, b->outside, (T) b->value[2]};
}

/* All blocks, those first for which the rows have come. */
template <typename In, typename Out, typename T>
static fv_status
launch_planes (const blur *b, plane_job<In, Out, T> *job, int64_t bytes)
{
  const view<const In> &in = job->from.in;
  const int64_t height = (int64_t) job->steps * GAUSSIAN_STEP, all = job->down, radius = job->radius_y;
  int64_t end;
  while (job->first < all) {
    int64_t needed = (job->first + 1) * height + radius;
    if (needed > in.rows || in.planes > 1 || b->outside == BORDER_WRAP)
      needed = in.rows;
    if (b->call->host->rows_in (b->call, 0, needed, &end, b->error))
      return b->error->code;
    job->down = (int32_t) ((end < in.rows ? (end - radius) / height : all) - job->first);
    if (blur_done (
          b,
          launch (blur_plane<In, Out, T>, in.planes * job->down * job->across, GAUSSIAN_THREADS, bytes, b->call, *job),
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
  const int64_t bytes = plane_bytes<T> (job.radius_y, job.radius_x);
  int64_t resident = gaussian_attribute (cudaDevAttrMaxSharedMemoryPerMultiprocessor) / (bytes + 1024);
  resident = resident < 1 ? 1 : resident > RESIDENT ? (int64_t) RESIDENT : resident;
  job.across = (int32_t) blocks_for (in.columns, GAUSSIAN_COLUMNS);
  job.steps = choose_steps (in.rows, job.across * in.planes, 2.0 * (double) b->radius[1] / GAUSSIAN_STEP, resident);
  job.down = (int32_t) blocks_for (in.rows, (int64_t) job.steps * GAUSSIAN_STEP);
  for (int axis = 1; axis < 3; axis++) {
    for (int64_t k = 0; k <= b->radius[axis]; k++)
      (axis == 1 ? job.weight_y : job.weight_x)[k] = (T) b->weights[axis][k];
    (axis == 1 ? job.odd_y : job.odd_x) = b->odd[axis];
  }
  return launch_planes (b, &job, bytes);
}

/* The weights of all taps of an axis, and zeros up to what weigh_all() can read, on the GPU. */
template <typename T>
static fv_status
weights_table (const blur *b, int axis, const T **weights)
{
  const fv_call *call = b->call;
  const int64_t r = b->radius[axis], count = (2 * r / GAUSSIAN_CHUNK + 3) * GAUSSIAN_CHUNK;
  const size_t bytes = (size_t) count * sizeof (T);
  T *here, *there;
  if (call->host->host_scratch (call, bytes, (void **) &here, b->error)
      || cuda_scratch (call, (size_t) count, &there, b->error))
    return b->error->code;
  for (int64_t t = 0; t < count; t++) {
    const T w = t <= 2 * r ? (T) b->weights[axis][t < r ? r - t : t - r] : 0;
    here[t] = t < r && b->odd[axis] ? -w : w;
  }
  *weights = there;
  return call->device->copy (call->device, call->stream, there, bytes, here, bytes, bytes, 1, FV_TO_DEVICE, b->error);
}

template <typename In, typename T>
static fv_status
run_rows (const blur *b, view<const In> in, view<T> out)
{
  rows_job<In, T> job = {source_of<In, T> (b, in), out, NULL, (int32_t) b->radius[2]};
  job.across = (int32_t) blocks_for (in.columns, GAUSSIAN_COLUMNS);
  job.down = (int32_t) blocks_for (in.rows, GAUSSIAN_STEP);
  if (weights_table (b, 2, &job.weights))
    return b->error->code;
  int64_t blocks = in.planes * job.down * job.across, bytes = 2 * rows_all<T> * (int64_t) sizeof (T);
  return blur_done (b, launch (blur_rows<In, T>, blocks, GAUSSIAN_THREADS, bytes, b->call, job), 1);
}

template <typename T>
static view<T>
along_z (view<T> v)
{
  return {v.data, v.rows, v.planes, v.columns, v.row_stride, v.plane_stride};
}

/* Along axis 0 or 1 of scratch. */
template <typename Out, typename T>
static fv_status
run_along (const blur *b, int axis, view<T> between, view<Out> out)
{
  const view<T> &v = between;
  view<const T> in = {v.data, v.planes, v.rows, v.columns, v.plane_stride, v.row_stride};
  along_job<Out, T> job = {
    {axis == 0 ? along_z (in) : in, in.columns % GAUSSIAN_PIECE == 0, b->outside, (T) b->value[axis]},
    axis == 0 ? along_z (out) : out};
  job.radius = (int32_t) b->radius[axis];
  job.across = (int32_t) blocks_for (in.columns, GAUSSIAN_COLUMNS);
  job.down = (int32_t) blocks_for (job.out.rows, PART);
  if (weights_table (b, axis, &job.weights))
    return b->error->code;
  int64_t blocks = job.out.planes * job.down * job.across,
          bytes = PARTS_HELD * PART * GAUSSIAN_COLUMNS * (int64_t) sizeof (T);
  return blur_done (b, launch (blur_along<Out, T>, blocks, GAUSSIAN_COLUMNS * GROUPS, bytes, b->call, job), 3 - axis);
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
blur_planes (const blur *b, view<const In> in, view<Out> out)
{
  view<T> between;
  if constexpr (float_is_enough<In> == (sizeof (T) == 4))
    if (in_one<In, T> (b))
      return run_plane<In, Out, T> (b, in, out);
  if (middle (b, &between) || run_rows<In, T> (b, in, between))
    return b->error->code;
  return run_along<Out, T> (b, 1, between, out);
}

template <typename In, typename Out, typename T>
static fv_status
blur_all (blur *b)
{
  view<const In> in = view_of<const In> (b->call->inputs[0]);
  view<Out> out = view_of<Out> (b->call->outputs[0]);
  view<T> between;
  const bool volume = gaussian_along_z ((const gaussian_args *) b->call->args, b->call->inputs[0]->grid);
  int64_t end;
  if ((volume || !in_one<In, T> (b)) && b->call->host->rows_in (b->call, 0, in.rows, &end, b->error))
    return b->error->code;
  if (!volume)
    return blur_planes<In, Out, T> (b, in, out);
  if (middle (b, &between) || blur_planes<In, T, T> (b, in, between))
    return b->error->code;
  return run_along<Out, T> (b, 0, between, out);
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

/* Weights, and what is outside before each pass. */
static fv_status
make_axes (blur *b, const gaussian_args *a, const fv_grid *in)
{
  double value = a->value;
  b->outside = (border) a->border;
  for (int i = 2; i >= 0; i--) {
    b->radius[i] = gaussian_radius (a, in, i);
    b->odd[i] = a->order[i] == 1;
    if (b->call->host->host_scratch (b->call, (size_t) (b->radius[i] + 1) * sizeof (double), (void **) &b->weights[i],
                                     b->error))
      return b->error->code;
    gaussian_axis_weights (b->weights[i], a, in, i);
    b->value[i] = value;
    value = gaussian_of_constant (b->weights[i], b->radius[i], b->odd[i], gaussian_working_type (a, in), value);
  }
  return FV_OK;
}

extern "C" fv_status
gaussian_cuda (const fv_call *call, fv_error *error)
{
  const gaussian_args *a = (const gaussian_args *) call->args;
  const fv_grid *in = call->inputs[0]->grid;
  if (a->method == GAUSSIAN_IMAGEJ)
    return gaussian_imagej_cuda (call, error);
  blur b = {};
  b.call = call;
  b.error = error;
  if (make_axes (&b, a, in))
    return error->code;
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
