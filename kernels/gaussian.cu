/* SPDX-License-Identifier: MIT
 *
 * gaussian on the GPU: sums in registers, EACH outputs of a thread side by side, so that a value that has been fetched
 * serves EACH taps. Sums are in float, or in double where gaussian_working_type() says so. No kernel waits for another
 * otherwise than by the order of the stream; all __syncthreads are between the stages named below.
 * - blur_plane, radii up to FUSED: x and y in one. A block of 128 threads takes 64 columns and goes down `steps` x 32
 *   rows: 32 rows into shared memory, blurred along x into a ring of rows there, from the ring along y to the output.
 *   Reads (1 + radius/32) inputs a pixel, mostly from the L2, one from memory; writes one. Two __syncthreads a step.
 * - blur_rows: along x for larger radii. 128 threads, 32 rows x 64 columns, TILE taps at a time through shared memory
 *   with two __syncthreads each; reads 5 inputs a pixel and TILE taps from the L2, one from memory; writes one.
 * - blur_along: along y for larger radii, and along z. 256 threads, 64 columns x 64 outputs along the axis, straight
 *   from the caches; reads (1 + radius/32) inputs a pixel from the L2, one from memory; writes one. No barrier.
 * - make_weights: one block for an axis of the last two; two __syncthreads a halving.
 */
#include "gaussian.h"
#include "common_row.cuh"

enum {
  EACH = 16, /* outputs of a thread */
  CHUNK = 8, /* taps, and values fetched, at a time */
  COLUMNS = 64,
  STEP = 32, /* rows */
  BLOCK = STEP * COLUMNS / EACH,
  FUSED = 96,   /* largest radius */
  TILE = 256,   /* taps summed by themselves, so that rounding does not add up */
  GROUPS = 4,   /* of EACH outputs, in a block of blur_along */
  RESIDENT = 5, /* blocks of blur_plane on a multiprocessor at most */
};

/* Numbers of the working type in 16 bytes, and a row length for which 16-byte accesses to eight rows do not collide. */
template <typename T> constexpr int in_16 = 16 / sizeof (T);

template <typename T>
constexpr BOTH int
pitch_of (int n)
{
  int pieces = (n + in_16<T> - 1) / in_16<T>;
  return (pieces | 1) * in_16<T>;
}

template <typename T>
__device__ __forceinline__ void
read_chunk (T *to, const T *from)
{
  for (int i = 0; i < CHUNK; i += in_16<T>) {
    sixteen<T> piece = *(const sixteen<T> *) (from + i);
    for (int j = 0; j < in_16<T>; j++)
      to[i + j] = piece.v[j];
  }
}

/* A thread's EACH + CHUNK values, CHUNK of them replaced at a time. */
constexpr int parts = EACH / CHUNK + 1, window = parts * CHUNK;

/* CHUNK taps where the window begins at v[PART * CHUNK]; false: these were the last. */
template <int PART, typename T, typename Load>
__device__ __forceinline__ bool
weigh_chunk (T (&sum)[EACH], T (&v)[window], const T *&weights, int &taps, Load &load)
{
  T w[CHUNK];
  read_chunk (w, weights);
  weights += CHUNK;
  if (taps > 1)
    load (v + (PART + parts - 1) % parts * CHUNK);
  if (taps < CHUNK) {
#pragma unroll
    for (int t = 0; t < CHUNK - 1; t++)
      if (t < taps)
#pragma unroll
        for (int j = 0; j < EACH; j++)
          sum[j] += w[t] * v[(PART * CHUNK + j + t) % window];
    return false;
  }
#pragma unroll
  for (int t = 0; t < CHUNK; t++)
#pragma unroll
    for (int j = 0; j < EACH; j++)
      sum[j] += w[t] * v[(PART * CHUNK + j + t) % window];
  taps -= CHUNK;
  return true;
}

/* sum[j] += the sum over t < taps of weights[t] value[j + t]. load (v): the next CHUNK values; it may be called for
 * some after the last that counts. `weights` can be read up to the next multiple of CHUNK and CHUNK further. */
template <typename T, typename Load>
__device__ __forceinline__ void
weigh (T (&sum)[EACH], const T *weights, int taps, Load load)
{
  static_assert (parts == 3, "one line for each below");
  T v[window];
#pragma unroll
  for (int i = 0; i < EACH; i += CHUNK)
    load (v + i);
  while (weigh_chunk<0> (sum, v, weights, taps, load) && weigh_chunk<1> (sum, v, weights, taps, load)
         && weigh_chunk<2> (sum, v, weights, taps, load))
    ;
}

/* ---- Along x and y in one ---- */

template <typename In, typename Out, typename T> struct plane_job {
  view<const In> in;
  view<Out> out;
  int32_t radius_y, radius_x;
  int32_t across, down, steps; /* blocks along x and y of a plane, steps of a block */
  int32_t lag;                 /* steps from the first row that is fetched to the first that is written */
  bool pieces;                 /* rows can be read 16 bytes of T at a time */
  border outside;
  T value;
  T weight_y[FUSED + 1], weight_x[FUSED + 1]; /* the centre first */
};

/* Where things stand in shared memory, in T. */
template <typename T> struct plane_memory {
  int weight_y, ring, ring_rows, line, line_pitch, all;
  static constexpr int ring_pitch = COLUMNS + in_16<T>;

  BOTH plane_memory (int radius_y, int radius_x, int lag)
  {
    weight_y = (2 * radius_x / CHUNK + 2) * CHUNK;
    ring = weight_y + (2 * radius_y / CHUNK + 2) * CHUNK;
    ring_rows = (1 + lag) * STEP;
    line = ring + ring_rows * ring_pitch;
    line_pitch = pitch_of<T> (COLUMNS + 2 * radius_x);
    all = line + STEP * line_pitch + 2 * CHUNK;
  }
};

/* What a block works on. Its row 0 is row `top` of the image, which may lie outside it. */
struct plane_place {
  int64_t plane;
  int32_t top, x0;      /* first row that is fetched, first column that is written */
  int32_t skip, y0, y1; /* rows that are not needed before the first window, rows that are written */
};

/* A pixel anywhere. */
template <typename In, typename T>
__device__ __forceinline__ T
pixel_at (const In *row, int x, int columns, border b, T value)
{
  int i = x >= 0 && x < columns ? x : (int) border_index (x, columns, b);
  return i < 0 ? value : (T) row[i];
}

/* STEP rows from row `first` of the block; those before `skip` and those after the last that counts are left out. */
template <typename In, typename Out, typename T>
__device__ __forceinline__ void
fetch_rows (const plane_job<In, Out, T> &job, const plane_place &at, int first, T *lines, int pitch)
{
  const int r = job.radius_x, width = COLUMNS + 2 * r, columns = (int) job.in.columns;
  const int lane = (int) threadIdx.x % 32, left = at.x0 - r;
  const bool inside = left >= 0 && left + width <= columns;
  const int last = at.y1 + job.radius_y - at.top;
  for (int i = (int) threadIdx.x / 32; i < STEP; i += BLOCK / 32) {
    T *to = lines + i * pitch;
    if (first + i < at.skip || first + i >= last)
      continue;
    int64_t y = border_index (at.top + first + i, job.in.rows, job.outside);
    const In *from = job.in.row (at.plane, y);
    if (y < 0)
      for (int c = lane; c < width; c += 32)
        to[c] = job.value;
    else if (inside && job.pieces)
      for (int c = lane * in_16<T>; c < width; c += 32 * in_16<T>)
        if constexpr (sizeof (In) == sizeof (T) && In (0.5) != 0)
          __pipeline_memcpy_async (to + c, from + left + c, 16);
        else {
          pack<In, in_16<T> > p = *(const pack<In, in_16<T> > *) (from + left + c);
          sixteen<T> piece;
          for (int j = 0; j < in_16<T>; j++)
            piece.v[j] = (T) p.v[j];
          *(sixteen<T> *) (to + c) = piece;
        }
    else if (inside)
      for (int c = lane; c < width; c += 32)
        if constexpr (sizeof (In) == sizeof (T) && In (0.5) != 0)
          __pipeline_memcpy_async (to + c, from + left + c, sizeof (T));
        else
          to[c] = (T) from[left + c];
    else
      for (int c = lane; c < width; c += 32)
        to[c] = pixel_at (from, left + c, columns, job.outside, job.value);
  }
  __pipeline_commit ();
}

/* The rows in `lines` along x into the ring from ring row `slot` on. A warp takes eight rows at a time. */
template <typename T>
__device__ __forceinline__ void
blur_lines (const T *lines, int pitch, const T *weights, int taps, T *ring)
{
  const int row = (int) threadIdx.x / 32 * 8 + (int) threadIdx.x % 8, segment = (int) threadIdx.x % 32 / 8;
  const T *from = lines + row * pitch + segment * EACH;
  T *to = ring + row * plane_memory<T>::ring_pitch + segment * EACH;
  T sum[EACH] = {};
  weigh (sum, weights, taps, [&] (T *v) {
    read_chunk (v, from);
    from += CHUNK;
  });
#pragma unroll
  for (int i = 0; i < EACH; i += in_16<T>) {
    sixteen<T> piece;
    for (int j = 0; j < in_16<T>; j++)
      piece.v[j] = sum[i + j];
    *(sixteen<T> *) (to + i) = piece;
  }
}

/* STEP rows of the output, from y on, from the ring; the window of the first begins at ring row `slot`. */
template <typename In, typename Out, typename T>
__device__ __forceinline__ void
blur_ring (const plane_job<In, Out, T> &job, const plane_place &at, const T *ring, int ring_rows, const T *weights,
           int slot, int y)
{
  constexpr int pitch = plane_memory<T>::ring_pitch;
  const int column = (int) threadIdx.x % COLUMNS, group = (int) threadIdx.x / COLUMNS * EACH;
  const T *end = ring + ring_rows * pitch + column;
  const T *from = ring + (slot + group) % ring_rows * pitch + column;
  T sum[EACH] = {};
  y += group;
  if (y >= at.y1 || at.x0 + column >= job.out.columns)
    return;
  weigh (sum, weights, 2 * job.radius_y + 1, [&] (T *v) {
    for (int i = 0; i < CHUNK; i++)
      v[i] = from[i * pitch];
    from += CHUNK * pitch;
    from = from >= end ? from - ring_rows * pitch : from;
  });
  Out *to = job.out.row (at.plane, y) + at.x0 + column;
#pragma unroll
  for (int j = 0; j < EACH; j++, to += job.out.row_stride)
    if (y + j < at.y1)
      *to = pixel_from<Out> (sum[j]);
}

template <typename In, typename Out, typename T>
__global__ void
__launch_bounds__ (BLOCK, sizeof (T) == 4 ? RESIDENT : 4) blur_plane (const __grid_constant__ plane_job<In, Out, T> job)
{
  extern __shared__ __align__ (16) unsigned char shared[];
  T *memory = (T *) shared;
  const plane_memory<T> m (job.radius_y, job.radius_x, job.lag);
  int64_t block = blockIdx.x;
  plane_place at;
  at.x0 = (int) (block % job.across) * COLUMNS;
  block /= job.across;
  at.y0 = (int) (block % job.down) * job.steps * STEP;
  at.plane = block / job.down;
  at.y1 = min (at.y0 + job.steps * STEP, (int) job.out.rows);
  at.skip = (job.lag * STEP - 2 * job.radius_y) / CHUNK * CHUNK;
  at.top = at.y0 - job.radius_y - at.skip;

  for (int i = (int) threadIdx.x; i <= 2 * job.radius_x; i += BLOCK)
    memory[i] = job.weight_x[abs (i - job.radius_x)];
  for (int i = (int) threadIdx.x; i <= 2 * job.radius_y; i += BLOCK)
    memory[m.weight_y + i] = job.weight_y[abs (i - job.radius_y)];
  fetch_rows (job, at, 0, memory + m.line, m.line_pitch);
  const int steps = (at.y1 - at.y0 + STEP - 1) / STEP, last = at.y1 + job.radius_y - at.top;
  int slot = 0; /* ring row of the step's first row; the window that it completes begins at the next step's */
  for (int step = 0; step < steps + job.lag; step++) {
    const int row = step * STEP + (int) threadIdx.x / 32 * 8;
    __pipeline_wait_prior (0);
    __syncthreads ();
    if (row >= at.skip && row < last)
      blur_lines (memory + m.line, m.line_pitch, memory, 2 * job.radius_x + 1, memory + m.ring + slot * m.ring_pitch);
    __syncthreads ();
    slot = slot + STEP == m.ring_rows ? 0 : slot + STEP;
    if (step + 1 < steps + job.lag)
      fetch_rows (job, at, (step + 1) * STEP, memory + m.line, m.line_pitch);
    if (step >= job.lag)
      blur_ring (job, at, memory + m.ring, m.ring_rows, memory + m.weight_y, slot + at.skip,
                 at.y0 + (step - job.lag) * STEP);
  }
}

/* ---- One axis at a time ---- */

template <typename T> struct weights_job {
  T *weights;
  int32_t radius, count;
  double sigma;
};

/* weights[0 ... 2 radius] by gaussian_weights(), and zeros up to the end of the table. */
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
    double k = abs (i - job.radius);
    job.weights[i] = i > 2 * job.radius ? (T) 0 : (T) (k == 0 ? 1 / sum : exp (factor * k * k) / sum);
  }
}

/* Sums of TILE taps, which do not round as often as one long sum. load as in weigh(); tile (first tap): it begins anew
 * with the values for that tap. */
template <typename T, typename Tile, typename Load>
__device__ __forceinline__ void
weigh_tiles (T (&total)[EACH], const T *weights, int taps, Tile tile, Load load)
{
  for (int first = 0; first < taps; first += TILE) {
    T sum[EACH] = {};
    tile (first);
    weigh (sum, weights + first, min (TILE, taps - first), load);
    for (int j = 0; j < EACH; j++)
      total[j] += sum[j];
  }
}

template <typename In, typename T> struct rows_job {
  view<const In> in;
  view<T> out;
  const T *weights;
  int32_t radius, across, down;
  border outside;
  T value;
};

template <typename T> constexpr int rows_pitch = (((COLUMNS + TILE) / in_16<T>) | 1) * in_16<T>;

template <typename In, typename T>
__global__ void
__launch_bounds__ (BLOCK) blur_rows (const __grid_constant__ rows_job<In, T> job)
{
  extern __shared__ __align__ (16) unsigned char shared[];
  T *lines = (T *) shared;
  const int row = (int) threadIdx.x / 32 * 8 + (int) threadIdx.x % 8, segment = (int) threadIdx.x % 32 / 8;
  const int lane = (int) threadIdx.x % 32;
  int64_t block = blockIdx.x;
  const int x0 = (int) (block % job.across) * COLUMNS;
  block /= job.across;
  const int y0 = (int) (block % job.down) * STEP;
  const int64_t plane = block / job.down;
  const T *from;
  T sum[EACH] = {};
  auto tile = [&] (int first) {
    const int left = x0 - job.radius + first;
    const bool inside = left >= 0 && left + COLUMNS + TILE <= job.in.columns;
    __syncthreads ();
    for (int i = (int) threadIdx.x / 32; i < STEP && y0 + i < job.in.rows; i += BLOCK / 32) {
      const In *in = job.in.row (plane, y0 + i);
      T *to = lines + i * rows_pitch<T>;
      if (inside)
        for (int c = lane; c < COLUMNS + TILE; c += 32)
          to[c] = (T) in[left + c];
      else
        for (int c = lane; c < COLUMNS + TILE; c += 32)
          to[c] = pixel_at (in, left + c, (int) job.in.columns, job.outside, job.value);
    }
    __syncthreads ();
    from = lines + row * rows_pitch<T> + segment * EACH;
  };
  weigh_tiles (sum, job.weights, 2 * job.radius + 1, tile, [&] (T *v) {
    read_chunk (v, from);
    from += CHUNK;
  });
  if (y0 + row >= job.out.rows)
    return;
  T *to = job.out.row (plane, y0 + row) + x0 + segment * EACH;
#pragma unroll
  for (int j = 0; j < EACH; j++)
    if (x0 + segment * EACH + j < job.out.columns)
      to[j] = sum[j];
}

/* n numbers along the axis, `others` lines of `columns` such. Strides of the axis and of the lines, in elements. */
template <typename In, typename Out, typename T> struct along_job {
  const In *in;
  Out *out;
  int64_t in_stride, out_stride, in_other, out_other;
  const T *weights;
  int32_t n, columns, radius, across, down;
  border outside;
  T value;
};

template <typename In, typename Out, typename T>
__global__ void
__launch_bounds__ (COLUMNS *GROUPS) blur_along (const __grid_constant__ along_job<In, Out, T> job)
{
  int64_t block = blockIdx.x;
  const int x = (int) (block % job.across) * COLUMNS + (int) threadIdx.x % COLUMNS;
  block /= job.across;
  const int k = ((int) (block % job.down) * GROUPS + (int) threadIdx.x / COLUMNS) * EACH, taps = 2 * job.radius + 1;
  const int64_t other = block / job.down;
  if (x >= job.columns || k >= job.n)
    return;
  const In *column = job.in + other * job.in_other + x;
  const bool inside = k >= job.radius && k + job.radius + EACH + 2 * CHUNK <= job.n;
  T sum[EACH] = {};
  if (inside) {
    const In *from;
    weigh_tiles (
      sum, job.weights, taps, [&] (int first) { from = column + (k - job.radius + first) * job.in_stride; },
      [&] (T *v) {
        for (int i = 0; i < CHUNK; i++, from += job.in_stride)
          v[i] = (T) *from;
      });
  } else {
    int i;
    weigh_tiles (
      sum, job.weights, taps, [&] (int first) { i = k - job.radius + first; },
      [&] (T *v) {
        for (int j = 0; j < CHUNK; j++, i++) {
          int p = i >= 0 && i < job.n ? i : (int) border_index (i, job.n, job.outside);
          v[j] = p < 0 ? job.value : (T) column[p * job.in_stride];
        }
      });
  }
  Out *to = job.out + other * job.out_other + k * job.out_stride + x;
#pragma unroll
  for (int j = 0; j < EACH; j++, to += job.out_stride)
    if (k + j < job.n)
      *to = pixel_from<Out> (sum[j]);
}

/* ---- The whole ---- */

struct blur {
  const fv_call *call;
  fv_error *error;
  int64_t radius[3];
  double sigma[3];
  border outside;
  double value;
};

static int
attribute (cudaDeviceAttr which)
{
  int device = 0, value = 0;
  cudaGetDevice (&device);
  cudaDeviceGetAttribute (&value, which, device);
  return value;
}

/* Whether the launch was taken and the host wants to go on. */
static fv_status
launched (const blur *b, cudaError_t code, int64_t done)
{
  if (cuda_status (code, "gaussian", b->error))
    return b->error->code;
  return b->call->host->tick (b->call, done, 3) ? cancelled (b->error) : FV_OK;
}

/* Steps of a block, so that the multiprocessors get equal work and little of it twice. */
static int
choose_steps (int64_t rows, int64_t columns_of_blocks, int lag)
{
  int64_t all = blocks_for (rows, STEP), best = 1;
  double least = 1e300;
  for (int64_t down = 1; down <= all && down <= 1024; down++) {
    int64_t steps = blocks_for (all, down), blocks = columns_of_blocks * blocks_for (all, steps);
    int64_t each = blocks_for (blocks, multiprocessors ());
    double cost = (double) (each < 3 ? 3 : each) * ((double) steps + 0.5 * lag + 0.3);
    if (cost < least) {
      least = cost;
      best = steps;
    }
  }
  return (int) best;
}

/* Bytes of shared memory that blur_plane needs. */
template <typename T>
static int64_t
plane_bytes (int64_t radius_y, int64_t radius_x)
{
  int lag = (int) blocks_for (2 * radius_y, STEP);
  return plane_memory<T> ((int) radius_y, (int) radius_x, lag).all * (int64_t) sizeof (T);
}

template <typename In, typename Out, typename T>
static fv_status
run_plane (const blur *b, view<const In> in, view<Out> out, bool aligned)
{
  plane_job<In, Out, T> job = {in, out, (int32_t) b->radius[1], (int32_t) b->radius[2]};
  double weights[FUSED + 1];
  job.across = (int32_t) blocks_for (in.columns, COLUMNS);
  job.lag = (int32_t) blocks_for (2 * b->radius[1], STEP);
  job.steps = choose_steps (in.rows, job.across * in.planes, job.lag);
  job.down = (int32_t) blocks_for (in.rows, (int64_t) job.steps * STEP);
  job.pieces = aligned && job.radius_x % in_16<T> == 0;
  job.outside = b->outside;
  job.value = (T) b->value;
  for (int axis = 1; axis < 3; axis++) {
    gaussian_weights (weights, b->radius[axis], b->sigma[axis]);
    for (int64_t k = 0; k <= b->radius[axis]; k++)
      (axis == 1 ? job.weight_y : job.weight_x)[k] = (T) weights[k];
  }
  int64_t blocks = in.planes * job.down * job.across, bytes = plane_bytes<T> (job.radius_y, job.radius_x);
  return launched (b, launch (blur_plane<In, Out, T>, blocks, BLOCK, bytes, b->call, job), 1);
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
  job.sigma = b->sigma[axis];
  *weights = job.weights;
  return cuda_status (launch (make_weights<T>, 1, 1024, 0, b->call, job), "gaussian", b->error);
}

template <typename In, typename T>
static fv_status
run_rows (const blur *b, view<const In> in, view<T> out)
{
  rows_job<In, T> job = {in, out, NULL, (int32_t) b->radius[2]};
  int bytes = (STEP * rows_pitch<T> + 2 * CHUNK) * (int) sizeof (T);
  job.across = (int32_t) blocks_for (in.columns, COLUMNS);
  job.down = (int32_t) blocks_for (in.rows, STEP);
  job.outside = b->outside;
  job.value = (T) b->value;
  if (weights_table (b, 2, &job.weights))
    return b->error->code;
  return launched (b, launch (blur_rows<In, T>, in.planes * job.down * job.across, BLOCK, bytes, b->call, job), 1);
}

/* Along axis 0 or 1. */
template <typename In, typename Out, typename T>
static fv_status
run_along (const blur *b, int axis, view<const In> in, view<Out> out)
{
  along_job<In, Out, T> job = {in.data, out.data, in.plane_stride, out.plane_stride, in.row_stride, out.row_stride};
  int64_t others = axis == 0 ? in.rows : in.planes;
  if (axis == 1)
    job = {in.data, out.data, in.row_stride, out.row_stride, in.plane_stride, out.plane_stride};
  job.n = (int32_t) (axis == 0 ? in.planes : in.rows);
  job.columns = (int32_t) in.columns;
  job.radius = (int32_t) b->radius[axis];
  job.across = (int32_t) blocks_for (in.columns, COLUMNS);
  job.down = (int32_t) blocks_for (job.n, EACH * GROUPS);
  job.outside = b->outside;
  job.value = (T) b->value;
  if (weights_table (b, axis, &job.weights))
    return b->error->code;
  int64_t blocks = others * job.down * job.across;
  return launched (b, launch (blur_along<In, Out, T>, blocks, COLUMNS * GROUPS, 0, b->call, job), 3 - axis);
}

template <typename T>
static view<const T>
read_only (view<T> v)
{
  return {v.data, v.planes, v.rows, v.columns, v.plane_stride, v.row_stride};
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

template <typename In, typename Out, typename T>
static fv_status
blur_planes (const blur *b, view<const In> in, view<Out> out)
{
  view<T> between;
  if constexpr (float_is_enough<In> == (sizeof (T) == 4))
    if (b->radius[1] <= FUSED && b->radius[2] <= FUSED
        && plane_bytes<T> (b->radius[1], b->radius[2]) <= attribute (cudaDevAttrMaxSharedMemoryPerBlockOptin))
      return run_plane<In, Out, T> (b, in, out, rows_aligned (b->call->inputs[0], sizeof (In) * in_16<T>));
  if (middle (b, &between) || run_rows<In, T> (b, in, between))
    return b->error->code;
  return run_along<T, Out, T> (b, 1, read_only (between), out);
}

template <typename In, typename Out, typename T>
static fv_status
blur_all (const blur *b)
{
  view<const In> in = view_of<const In> (b->call->inputs[0]);
  view<Out> out = view_of<Out> (b->call->outputs[0]);
  view<T> between;
  if (b->radius[0] == 0)
    return blur_planes<In, Out, T> (b, in, out);
  if (middle (b, &between) || blur_planes<In, T, T> (b, in, between))
    return b->error->code;
  return run_along<T, Out, T> (b, 0, read_only (between), out);
}

/* To the input's type, or to float: what gaussian_infer() says. */
template <typename In, typename T>
static fv_status
blur_to (const blur *b)
{
  if (b->call->outputs[0]->grid.type == b->call->inputs[0]->grid.type)
    return blur_all<In, In, T> (b);
  return blur_all<In, float, T> (b);
}

extern "C" fv_status
gaussian_cuda (const fv_call *call, fv_error *error)
{
  const gaussian_args *a = (const gaussian_args *) call->args;
  const fv_grid *in = &call->inputs[0]->grid;
  blur b = {call, error};
  b.outside = (border) a->border;
  b.value = a->value;
  for (int i = 0; i < 3; i++) {
    b.radius[i] = gaussian_radius (a, in, i);
    b.sigma[i] = gaussian_sigma (a, in, i);
  }
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
