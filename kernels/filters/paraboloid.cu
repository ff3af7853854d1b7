/* SPDX-License-Identifier: MIT
 *
 * The sliding paraboloid on the GPU, some planes at a time, in double; blocks of 256 threads. Nothing waits.
 *
 * - start_paraboloid: a block a tile of 32 x 32 pixels with two around it in shared memory, three barriers and those of a sum; reads each pixel 1.3
 *   times, mostly from L2, writes 8 bytes.
 * - rise_paraboloid: a block a plane sums what those blocks found.
 * - corner_paraboloid: a block a plane, the eight lines at its corners one after the other.
 * - slide_paraboloid: a block for one to eight adjacent lines in shared memory, so that columns and diagonals are read and written in whole sectors
 *   where there are many. See paraboloid_hull.cuh. Six times 8 bytes a pixel read, and written where the parabola is lower. finish_paraboloid: 8
 *   bytes and a pixel read, two pixels written.
 * Lines that are too long for shared memory stay in the image, with their bits in scratch of each block.
 */
#include "kernels/common/blocks.cuh"
#include "kernels/filters/paraboloid.h"
#include "kernels/filters/paraboloid_hull.cuh"
#include "kernels/filters/rolling_ball_args.h"

enum {
  PARABOLOID_INSIDE = PARABOLOID_TILE + 4, /* sides of what is read, */
  PARABOLOID_RAISED = PARABOLOID_TILE + 2, /* and of what is raised */
  PARABOLOID_LINES = 8,                    /* at most in a block */
  PARABOLOID_PIXELS = 1 << 21              /* of small planes at a time */
};
static_assert ((int) PARABOLOID_PARTS == (int) PARABOLA_THREADS);

/* ---- Smoothing ---- */

template <typename T> struct paraboloid_start {
  view<const T> in;
  int64_t z;               /* the first plane */
  int64_t across;          /* blocks */
  double *image;           /* [planes][rows][columns] */
  paraboloid_rise *raised; /* [planes][blocks] */
  bool light, smooth;
};

__device__ __forceinline__ paraboloid_rise
rise_together (paraboloid_rise a, paraboloid_rise b)
{
  return {a.sum + b.sum, a.pixels + b.pixels};
}

/* The greatest of 3 x 3 numbers around one that counts. */
__device__ __forceinline__ double
greatest_around (const double *v)
{
  double most = -INFINITY;
#pragma unroll
  for (int k = -1; k <= 1; k++)
#pragma unroll
    for (int i = -1; i <= 1; i++) {
      const double other = v[k * PARABOLOID_INSIDE + i];
      most = other > most ? other : most;
    }
  return *v == -INFINITY ? *v : most;
}

/* The mean of those of 3 x 3 numbers that count. */
__device__ __forceinline__ double
mean_around (const double *v)
{
  double sum[3], count[3];
#pragma unroll
  for (int i = 0; i < 3; i++) {
    const double a = v[i - 1 - PARABOLOID_RAISED], b = v[i - 1], c = v[i - 1 + PARABOLOID_RAISED];
    sum[i] = ((a > -INFINITY ? a : 0) + (b > -INFINITY ? b : 0)) + (c > -INFINITY ? c : 0);
    count[i] = (a > -INFINITY) + (b > -INFINITY) + (c > -INFINITY);
  }
  return *v == -INFINITY ? INFINITY : (sum[0] + sum[1] + sum[2]) / (count[0] + count[1] + count[2]);
}

__device__ __forceinline__ int64_t
into_image (int64_t i, int64_t n)
{
  return max (min (i, n - 1), (int64_t) 0);
}

template <typename T>
__global__ static void
__launch_bounds__ (PARABOLA_THREADS) start_paraboloid (const __grid_constant__ paraboloid_start<T> j)
{
  __shared__ double read[PARABOLOID_INSIDE * PARABOLOID_INSIDE], raised[PARABOLOID_RAISED * PARABOLOID_RAISED];
  __shared__ paraboloid_rise rises[PARABOLOID_TILE];
  const int64_t top = blockIdx.x / j.across * PARABOLOID_TILE, left = blockIdx.x % j.across * PARABOLOID_TILE;
  const double missing = j.smooth ? -INFINITY : INFINITY;
  for (int n = (int) threadIdx.x; n < PARABOLOID_INSIDE * PARABOLOID_INSIDE; n += PARABOLA_THREADS) {
    const int64_t y = into_image (top - 2 + n / PARABOLOID_INSIDE, j.in.rows),
                  x = into_image (left - 2 + n % PARABOLOID_INSIDE, j.in.columns);
    read[n] = paraboloid_height ((double) j.in.row (j.z + blockIdx.y, y)[x], j.light, missing);
  }
  __syncthreads ();
  for (int n = (int) threadIdx.x; j.smooth && n < PARABOLOID_RAISED * PARABOLOID_RAISED; n += PARABOLA_THREADS) {
    const int y = (int) (into_image (top - 1 + n / PARABOLOID_RAISED, j.in.rows) - top + 2),
              x = (int) (into_image (left - 1 + n % PARABOLOID_RAISED, j.in.columns) - left + 2);
    raised[n] = greatest_around (read + y * PARABOLOID_INSIDE + x);
  }
  __syncthreads ();
  for (int n = (int) threadIdx.x; n < PARABOLOID_TILE * PARABOLOID_TILE; n += PARABOLA_THREADS) {
    const int row = n / PARABOLOID_TILE, column = n % PARABOLOID_TILE;
    const double v = read[(row + 2) * PARABOLOID_INSIDE + column + 2],
                 *up = raised + (row + 1) * PARABOLOID_RAISED + column + 1;
    const bool inside = top + row < j.in.rows && left + column < j.in.columns;
    paraboloid_rise rise = {0, 0};
    if (inside)
      j.image[(blockIdx.y * j.in.rows + top + row) * j.in.columns + left + column] = j.smooth ? mean_around (up) : v;
    if (inside && j.smooth && v > -INFINITY)
      rise = {*up - v, 1};
    rise = join_lanes (rise, rise_together);
    if (column == 0)
      rises[row] = rise;
  }
  __syncthreads ();
  if (threadIdx.x >= PARABOLOID_TILE)
    return;
  const paraboloid_rise rise = join_lanes (rises[threadIdx.x], rise_together);
  if (threadIdx.x == 0)
    j.raised[blockIdx.y * gridDim.x + blockIdx.x] = rise;
}

/* shifts: of each plane. */
__global__ static void
__launch_bounds__ (PARABOLA_THREADS) rise_paraboloid (const paraboloid_rise *raised, int64_t n, double *shifts)
{
  __shared__ paraboloid_rise shared[32];
  paraboloid_rise rise = {0, 0};
  for (int64_t i = threadIdx.x; i < n; i += PARABOLOID_PARTS)
    rise = rise_together (rise, raised[blockIdx.x * n + i]);
  rise = join_block (rise, shared, rise_together);
  if (threadIdx.x == 0)
    shifts[blockIdx.x] = paraboloid_shift (rise);
}

/* ---- Sliding ---- */

struct paraboloid_slide {
  double *image;
  paraboloid_pass pass;
  int64_t planes, bands;
  double radius;
  int count, longest, pitch;
  uint32_t *memory; /* of long lines: three words for each of a line, of each block */
};

__device__ __forceinline__ double *
paraboloid_plane (const paraboloid_slide &j, int64_t plane)
{
  return j.image + plane * j.pass.rows * j.pass.columns;
}

template <bool SHARED>
__device__ __forceinline__ parabola_lines<SHARED>
lines_of_band (const paraboloid_slide &j, const paraboloid_pass &p, const paraboloid_band &b, double *plane)
{
  extern __shared__ double parabola_shared[];
  parabola_lines<SHARED> s;
  s.n = (int) b.n;
  s.words = (s.n + PARABOLA_BITS - 1) / PARABOLA_BITS;
  s.count = SHARED ? j.count : 1;
  s.c = p.c;
  s.pitch = j.pitch;
  s.step = p.along_rows ? 1 : p.columns + p.shear;
  s.values = SHARED ? parabola_shared : plane + paraboloid_index (&p, &b, 0, 0);
  const int words = s.count * ((j.longest + PARABOLA_BITS - 1) / PARABOLA_BITS);
  s.masks = SHARED ? (uint32_t *) (parabola_shared + s.count * s.pitch) : j.memory + (int64_t) blockIdx.x * 3 * words;
  s.before = (int *) s.masks + words;
  s.after = s.before + words;
  return s;
}

/* Calls f with each line and position, so that those beside each other in the image come to threads beside each other. */
template <bool SHARED, typename F>
__device__ __forceinline__ void
each_position (const parabola_lines<SHARED> &s, bool along_rows, F f)
{
  const int shift = __ffs (s.count) - 1;
  if (along_rows)
    for (int line = 0; line < s.count; line++)
      for (int position = (int) threadIdx.x; position < s.n; position += PARABOLA_THREADS)
        f (line, position);
  else
    for (int64_t i = threadIdx.x; i < (int64_t) s.n << shift; i += PARABOLA_THREADS)
      f ((int) i & (s.count - 1), (int) (i >> shift));
}

/* What of these lines the parabola touches. */
template <bool SHARED>
__device__ __forceinline__ parabola_lines<SHARED>
find_in_band (const paraboloid_slide &j, const paraboloid_pass &p, const paraboloid_band &b, double *plane)
{
  const parabola_lines<SHARED> s = lines_of_band<SHARED> (j, p, b, plane);
  if (SHARED) {
    each_position (s, p.along_rows, [&] (int line, int position) {
      const int64_t index = paraboloid_index (&p, &b, line, position);
      s.at (line, position) = index < 0 ? INFINITY : plane[index];
    });
  }
  __syncthreads ();
  parabola_hulls (s);
  parabola_neighbors (s);
  return s;
}

/* Writes only where it does not touch, and reads elsewhere only where it does. */
template <bool SHARED>
__device__ __forceinline__ void
lower_band (const paraboloid_pass &p, const paraboloid_band &b, const parabola_lines<SHARED> &s, double *plane)
{
  each_position (s, p.along_rows, [&] (int line, int position) {
    const double v = parabola_height (s, line, position);
    const int64_t index = paraboloid_index (&p, &b, line, position);
    if (index >= 0 && v < s.at (line, position))
      plane[index] = v;
  });
}

template <bool SHARED>
__global__ static void
__launch_bounds__ (PARABOLA_THREADS) slide_paraboloid (const __grid_constant__ paraboloid_slide j)
{
  for (int64_t i = blockIdx.x; i < j.planes * j.bands; i += gridDim.x) {
    double *plane = paraboloid_plane (j, i / j.bands);
    const paraboloid_band b = paraboloid_band_at (&j.pass, j.pass.first + i % j.bands * j.count, j.count);
    const parabola_lines<SHARED> s = find_in_band<SHARED> (j, j.pass, b, plane);
    lower_band (j.pass, b, s, plane);
    __syncthreads (); /* before the next band, which has the same memory */
  }
}

/* What a line that was slid under says about the corners at its ends. */
template <bool SHARED>
__device__ __forceinline__ void
add_corner_heights (const parabola_lines<SHARED> &s, const paraboloid_corner_line &l, double *heights)
{
  const int64_t first = paraboloid_first_touched (parabola_after (s.masks, 0, s.words), s.n),
                last = paraboloid_last_touched (parabola_before (s.masks, s.n - 1, 0), s.n);
  const bool whole = s.at (0, 0) < INFINITY && s.at (0, s.n - 1) < INFINITY;
  for (int end = 0; end < 2; end++)
    if (l.corner[end] >= 0)
      heights[l.corner[end]] +=
        whole ? paraboloid_end (end, s.at (0, (int) first), s.at (0, (int) last), first, last, s.n, s.c) : NAN;
}

template <bool SHARED>
__global__ static void
__launch_bounds__ (PARABOLA_THREADS) corner_paraboloid (const __grid_constant__ paraboloid_slide j)
{
  const int64_t rows = j.pass.rows, columns = j.pass.columns;
  double heights[4] = {0, 0, 0, 0}, *plane = paraboloid_plane (j, blockIdx.x);
  for (int i = 0; i < PARABOLOID_CORNER_LINES; i++) {
    const paraboloid_corner_line l = paraboloid_corner_line_of (i, rows, columns, j.radius);
    const paraboloid_band b = paraboloid_band_at (&l.pass, l.line, 1);
    const parabola_lines<SHARED> s = find_in_band<SHARED> (j, l.pass, b, plane);
    if (threadIdx.x == 0)
      add_corner_heights (s, l, heights);
    lower_band (l.pass, b, s, plane);
    __syncthreads ();
  }
  if (threadIdx.x > 0)
    return;
  for (int i = 0; i < 4; i++) {
    double *v = plane + (i / 2 ? rows - 1 : 0) * columns + (i % 2 ? columns - 1 : 0);
    *v = heights[i] / 3 < *v ? heights[i] / 3 : *v;
  }
}

/* ---- Subtracting ---- */

template <typename T> struct paraboloid_finish {
  view<const T> in;
  view<T> out, background;
  int64_t z;
  const double *image, *shifts;
  double white;
  bool light;
};

template <typename T>
__global__ static void
__launch_bounds__ (PARABOLA_THREADS) finish_paraboloid (const __grid_constant__ paraboloid_finish<T> j)
{
  const int64_t x = (int64_t) blockIdx.x * PARABOLA_THREADS + threadIdx.x, z = j.z + blockIdx.z;
  if (x >= j.in.columns)
    return;
  const double shift = j.shifts[blockIdx.z];
  for (int64_t y = blockIdx.y; y < j.in.rows; y += gridDim.y) {
    const double v = paraboloid_background (j.image[(blockIdx.z * j.in.rows + y) * j.in.columns + x], shift, j.light);
    j.background.row (z, y)[x] = pixel_from<T> (v);
    j.out.row (z, y)[x] = pixel_from<T> ((double) j.in.row (z, y)[x] - v + j.white);
  }
}

/* ---- Host ---- */

struct paraboloid_plan {
  const fv_call *call;
  rolling_ball_args args;
  int64_t rows, columns, planes /* at a time */, tiles;
  double *image, *shifts;
  paraboloid_rise *raised;
  uint32_t *memory; /* of long lines */
  int64_t long_blocks;
};

/* In shared memory, of so many lines: threads that read one position of each of them use different banks. */
static int
paraboloid_pitch (int64_t n, int count)
{
  const int wanted = 16 / count % 16;
  int pitch = (int) (n + n / PARABOLA_BITS + 1);
  while (pitch % 16 != wanted)
    pitch++;
  return pitch;
}

static int64_t
paraboloid_bytes (int64_t n, int count)
{
  return count * ((int64_t) paraboloid_pitch (n, count) * 8 + 12 * blocks_for (n, PARABOLA_BITS));
}

/* Whether a line can be in shared memory, beside what the kernels have of their own. */
static bool
paraboloid_fits (int64_t n)
{
  return paraboloid_bytes (n, 1) <= most_shared () - 1024;
}

/* As many lines as let three blocks run on a multiprocessor, and all multiprocessors have some. */
static int
lines_at_a_time (int64_t lines, int64_t n)
{
  int count = PARABOLOID_LINES;
  while (count > 1
         && (paraboloid_bytes (n, count) > most_shared () / 3 - 1024 || lines < 2 * count * multiprocessors ()))
    count /= 2;
  return count;
}

static paraboloid_slide
slide_of (const paraboloid_plan &p, const paraboloid_pass &pass, int64_t n, int count)
{
  return {p.image,       pass,  p.planes, blocks_for (pass.lines, count),
          p.args.radius, count, (int) n,  paraboloid_pitch (n, count),
          p.memory};
}

static cudaError_t
slide_planes (const paraboloid_plan &p, int i)
{
  const paraboloid_pass pass = paraboloid_pass_number (i, p.rows, p.columns, p.args.radius);
  const int64_t n = paraboloid_longest (&pass, PARABOLOID_LINES);
  const bool fits = paraboloid_fits (n);
  const paraboloid_slide j = slide_of (p, pass, n, fits ? lines_at_a_time (p.planes * pass.lines, n) : 1);
  if (!fits)
    return launch (slide_paraboloid<false>, min (j.bands, p.long_blocks), PARABOLA_THREADS, 0, p.call, j);
  return launch (slide_paraboloid<true>, min (p.planes * j.bands, (int64_t) INT32_MAX), PARABOLA_THREADS,
                 paraboloid_bytes (n, j.count), p.call, j);
}

static cudaError_t
lower_paraboloid_corners (const paraboloid_plan &p)
{
  const int64_t n = max (p.rows, p.columns);
  const paraboloid_slide j = slide_of (p, paraboloid_pass_of (0, true, p.rows, p.columns, p.args.radius), n, 1);
  if (!paraboloid_fits (n))
    return launch (corner_paraboloid<false>, 1, PARABOLA_THREADS, 0, p.call, j);
  return launch (corner_paraboloid<true>, p.planes, PARABOLA_THREADS, paraboloid_bytes (n, 1), p.call, j);
}

/* p.planes planes from z on. */
template <typename T>
static cudaError_t
run_paraboloid (const paraboloid_plan &p, int64_t z)
{
  const fv_call *call = p.call;
  const view<const T> in = view_of<const T> (call->inputs[0]);
  cudaStream_t stream = cuda_stream (call);
  const paraboloid_start<T> start = {
    in, z, blocks_for (p.columns, PARABOLOID_TILE), p.image, p.raised, p.args.light, p.args.smooth};
  start_paraboloid<T><<<dim3 ((unsigned) p.tiles, (unsigned) p.planes), PARABOLA_THREADS, 0, stream>>> (start);
  rise_paraboloid<<<(unsigned) p.planes, PARABOLA_THREADS, 0, stream>>> (p.raised, p.tiles, p.shifts);
  cudaError_t code = lower_paraboloid_corners (p);
  for (int i = 0; i < PARABOLOID_PASSES && !code; i++)
    code = slide_planes (p, i);
  if (code)
    return code;
  const paraboloid_finish<T> finish = {in,
                                       view_of<T> (call->outputs[0]),
                                       view_of<T> (call->outputs[1]),
                                       z,
                                       p.image,
                                       p.shifts,
                                       rolling_ball_white (p.args.light, call->inputs[0]->grid->type),
                                       p.args.light};
  finish_paraboloid<T>
    <<<grid_of_rows (p.planes, p.rows, blocks_for (p.columns, PARABOLA_THREADS)), PARABOLA_THREADS, 0, stream>>> (
      finish);
  return cudaGetLastError ();
}

static fv_status
take_paraboloid (paraboloid_plan *p, fv_error *error)
{
  const int64_t pixels = p->rows * p->columns, longest = max (p->rows, p->columns);
  const bool fits = paraboloid_fits (longest);
  p->planes = fits ? min (array_planes (p->call->inputs[0]), max (PARABOLOID_PIXELS / pixels, (int64_t) 1)) : 1;
  p->planes = min (p->planes, (int64_t) 4096);
  p->tiles = blocks_for (p->rows, PARABOLOID_TILE) * blocks_for (p->columns, PARABOLOID_TILE);
  p->long_blocks = min (2 * (int64_t) multiprocessors (), p->rows + p->columns);
  const size_t words = (size_t) (fits ? 1 : p->long_blocks * 3 * blocks_for (longest, PARABOLA_BITS));
  if (cuda_scratch (p->call, (size_t) (p->planes * pixels), &p->image, error)
      || cuda_scratch (p->call, (size_t) (p->planes * p->tiles), &p->raised, error)
      || cuda_scratch (p->call, (size_t) p->planes, &p->shifts, error)
      || cuda_scratch (p->call, words, &p->memory, error))
    return error->code;
  return FV_OK;
}

extern "C" fv_status
paraboloid_cuda (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  const int64_t planes = array_planes (in);
  paraboloid_plan p = {call, *(const rolling_ball_args *) call->args, array_rows (in), array_columns (in)};
  if (max (p.rows, p.columns) > 1 << 30
      || blocks_for (p.rows, PARABOLOID_TILE) * blocks_for (p.columns, PARABOLOID_TILE) > INT32_MAX)
    return fail (error, FV_UNSUPPORTED, "image", "The image has too many pixels for one call.");
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  if (take_paraboloid (&p, error))
    return error->code;
  for (int64_t z = 0; z < planes; z += p.planes) {
    p.planes = min (p.planes, planes - z);
    const cudaError_t code =
      with_type (in->grid->type, [&] (auto zero) { return run_paraboloid<decltype (zero)> (p, z); });
    if (code)
      return cuda_status (code, "Subtracting the background", error);
  }
  return FV_OK;
}
