/* SPDX-License-Identifier: MIT
 *
 * split, method=imagej, on the GPU; blocks of 256 threads. After the sweeps (split_sweep.cuh) cut_root_kernel passes over the
 * pixels once, as do, by items.cuh, the heights, the stairs, one pass before the growth and one after it. For each step cut_list_kernel reads a byte of
 * each pixel and lists those that the step may take. Then cut_grow_kernel goes over the list, once for each direction, until none of the eight takes
 * any. A pixel at work reads the four bytes of its neighbors that say when they were taken, and so ignores those taken at the same time. Waits for
 * the device once to get the steps, and each time after the eight directions.
 */
#include "kernels/common/blocks.cuh"
#include "kernels/split/split_imagej.h"
#include "kernels/split/split_pixels.cuh"
#include "kernels/split/split_sweep.cuh"

enum { CUT_THREADS = 256 };

#define CUT_NEVER 0xffffffffu

/* Where a pixel is in its plane, of arrays without gaps that have no more than 2^32. */
struct cut_pixel {
  int64_t y, x;

  __device__ cut_pixel (int64_t i, int64_t rows, int64_t columns)
  {
    const uint32_t line = (uint32_t) i / (uint32_t) columns;
    x = (uint32_t) i - line * (uint32_t) columns;
    y = line % (uint32_t) rows;
  }

  __device__ bool is_inside (int64_t rows, int64_t columns) const
  {
    return x > 0 && x < columns - 1 && y > 0 && y < rows - 1;
  }
};

/* f (i) for each pixel. */
template <typename F>
__device__ static void
cut_each (int64_t pixels, F f)
{
  for (int64_t i = (int64_t) blockIdx.x * CUT_THREADS + threadIdx.x; i < pixels; i += (int64_t) gridDim.x * CUT_THREADS)
    f (i);
}

/* ---- Distances ---- */

/* Replaces squares by distances; most: the maximum of each plane, as the bits of a float. */
__global__ static void
__launch_bounds__ (CUT_THREADS) cut_root_kernel (int64_t planes, int64_t each, float *distance, int *most)
{
  __shared__ float shared[32];
  for (int64_t z = blockIdx.y; z < planes; z += gridDim.y) {
    float own = 0;
    for (int64_t i = (int64_t) blockIdx.x * CUT_THREADS + threadIdx.x; i < each;
         i += (int64_t) gridDim.x * CUT_THREADS) {
      float *at = distance + z * each + i;
      *at = sqrtf ((float) __float_as_uint (*at));
      own = *at > own ? *at : own;
    }
    own = join_block (own, shared, [] (float a, float b) { return a > b ? a : b; });
    if (threadIdx.x == 0)
      atomicMax (&most[z], __float_as_int (own));
    __syncthreads ();
  }
}

/* ---- Growth ---- */

struct cut_growth {
  int64_t planes, rows, columns;
  const uint8_t *step;
  unsigned *when; /* a pixel was taken; CUT_NEVER: it was not */
  unsigned *list; /* pixels that may be taken at a step */
  int *is_there;  /* [SPLIT_AREA]: of each step */
  int *has_grown;
  unsigned *listed; /* how many are in the list */
};

/* Whether a pixel is at the edge of the object or of the image. */
__device__ static bool
is_cut_edge (const cut_growth &g, int64_t i)
{
  static constexpr int8_t dx[SPLIT_DIRECTIONS] = SPLIT_AROUND_X, dy[SPLIT_DIRECTIONS] = SPLIT_AROUND_Y;
  const cut_pixel p (i, g.rows, g.columns);
  bool edge = !p.is_inside (g.rows, g.columns);
#pragma unroll
  for (int k = 0; k < SPLIT_DIRECTIONS; k++)
    edge = edge || !g.step[i + dy[k] * g.columns + dx[k]];
  return edge;
}

/* Lists the pixels of a step, and those that wait. */
__global__ static void
__launch_bounds__ (CUT_THREADS) cut_list_kernel (cut_growth g, uint8_t step)
{
  const int64_t pixels = g.planes * g.rows * g.columns;
  const unsigned lane = threadIdx.x & 31;
  for (int64_t first = (int64_t) blockIdx.x * CUT_THREADS + threadIdx.x - lane; first < pixels;
       first += (int64_t) gridDim.x * CUT_THREADS) {
    const int64_t i = first + lane;
    const uint8_t own = i < pixels ? g.step[i] : 0;
    const bool is = own >= step && g.when[i] == CUT_NEVER && (own == step || is_cut_edge (g, i));
    const unsigned all = __ballot_sync (~0u, is);
    unsigned index = 0;
    if (lane == 0 && all)
      index = atomicAdd (g.listed, (unsigned) __popc (all));
    index = __shfl_sync (~0u, index, 0) + (unsigned) __popc (all & ((1u << lane) - 1));
    if (is)
      g.list[index] = (unsigned) i;
  }
}

/* Takes pixels of the list in one direction. */
__global__ static void
__launch_bounds__ (CUT_THREADS) cut_grow_kernel (cut_growth g, unsigned now, int direction)
{
  static constexpr int8_t dx[SPLIT_DIRECTIONS] = SPLIT_AROUND_X, dy[SPLIT_DIRECTIONS] = SPLIT_AROUND_Y;
  cut_each (*g.listed, [&] (int64_t index) {
    const int64_t i = g.list[index];
    if (g.when[i] != CUT_NEVER)
      return;
    const cut_pixel p (i, g.rows, g.columns);
    unsigned taken = 0;
#pragma unroll
    for (int k = 0; k < SPLIT_DIRECTIONS; k++) {
      const int64_t y = p.y + dy[k], x = p.x + dx[k], at = i + dy[k] * g.columns + dx[k];
      const bool inside = y >= 0 && y < g.rows && x >= 0 && x < g.columns;
      taken |= (inside && *(volatile unsigned *) &g.when[at] < now ? 1u : 0) << k;
    }
    if (split_takes (taken, direction)) {
      *(volatile unsigned *) &g.when[i] = now;
      *g.has_grown = 1;
    }
  });
}

/* ---- Host ---- */

static unsigned
cut_blocks (int64_t pixels)
{
  const int64_t blocks = blocks_for (pixels, CUT_THREADS), most = 16 * (int64_t) multiprocessors ();
  return (unsigned) (blocks < most ? blocks : most);
}

extern "C" fv_status
split_near_cuda (const fv_call *call, const split_arrays *s, fv_error *error)
{
  const view<const uint8_t> mask = view_of<const uint8_t> (call->inputs[SPLIT_MASK]);
  const int64_t each = mask.rows * mask.columns;
  const unsigned blocks = cut_blocks (each), planes = (unsigned) (mask.planes < 65535 ? mask.planes : 65535);
  cudaStream_t stream = cuda_stream (call);
  if (mask.planes * each > UINT32_MAX)
    return fail (error, FV_UNSUPPORTED, "image", "The image has too many pixels for one call.");
  if (sweep_planes (call, mask, pixels_of_split<unsigned> (&s->distance), pixels_of_split<unsigned> (&s->level), error))
    return error->code;
  cudaMemsetAsync (s->most, 0, (size_t) mask.planes * sizeof *s->most, stream);
  cut_root_kernel<<<dim3 (blocks, planes), CUT_THREADS, 0, stream>>> (
    mask.planes, each, pixels_of_split<float> (&s->distance), (int *) s->most);
  return cuda_status (cudaGetLastError (), "Splitting", error);
}

extern "C" fv_status
split_heights_cuda (const fv_call *call, const split_arrays *s, fv_error *error)
{
  const int64_t rows = array_rows (&s->level.array), columns = array_columns (&s->level.array);
  const float *distance = pixels_of_split<float> (&s->distance), h = (float) ((const split_args *) call->args)->h;
  float *level = pixels_of_split<float> (&s->level), *peaks = pixels_of_split<float> (&s->peaks);
  auto make = [=] __device__ (int64_t i) {
    const float d = distance[i];
    const float height =
      cut_pixel (i, rows, columns).is_inside (rows, columns) ? split_height (distance + i, columns) : d;
    level[i] = d > 0 ? height : (float) NAN;
    peaks[i] = level[i] - h;
  };
  return each_pixel_of_split (call, s, make, error);
}

extern "C" fv_status
split_stairs_cuda (const fv_call *call, const split_arrays *s, fv_error *error)
{
  const int64_t each = array_rows (&s->level.array) * array_columns (&s->level.array);
  const float *distance = pixels_of_split<float> (&s->distance), *most = s->most;
  const uint8_t *tops = pixels_of_split<uint8_t> (&s->tops);
  uint8_t *stairs = pixels_of_split<uint8_t> (&s->stairs), *seeds = pixels_of_split<uint8_t> (&s->seeds);
  auto make = [=] __device__ (int64_t i) {
    seeds[i] = tops[i] ? SPLIT_AREA : 0;
    stairs[i] = tops[i] ? SPLIT_AREA : split_step (distance[i], most[i / each]);
  };
  return each_pixel_of_split (call, s, make, error);
}

/* All directions in turn, until none takes any. */
static fv_status
cut_grow_step (const fv_call *call, const cut_growth &g, int step, unsigned *now, fv_error *error)
{
  static const int8_t turns[SPLIT_DIRECTIONS] = SPLIT_TURNS;
  const unsigned blocks = cut_blocks (g.planes * g.rows * g.columns);
  cudaStream_t stream = cuda_stream (call);
  fv_status status = FV_OK;
  cudaMemsetAsync (g.listed, 0, sizeof *g.listed, stream);
  cut_list_kernel<<<blocks, CUT_THREADS, 0, stream>>> (g, (uint8_t) step);
  for (int grown = 1; grown && !status;) {
    cudaMemsetAsync (g.has_grown, 0, sizeof *g.has_grown, stream);
    for (int turn = 0; turn < SPLIT_DIRECTIONS; turn++) {
      ++*now;
      cut_grow_kernel<<<blocks, CUT_THREADS, 0, stream>>> (g, *now, turns[turn]);
    }
    status = cuda_status (cudaGetLastError (), "Splitting", error);
    if (!status)
      status = call->host->read (call, &grown, g.has_grown, sizeof grown, error);
    if (!status && call->host->tick (call, SPLIT_AREA - step, SPLIT_AREA))
      status = cancelled (error);
  }
  return status;
}

extern "C" fv_status
split_grow_cuda (const fv_call *call, const split_arrays *s, fv_error *error)
{
  const fv_array *a = &s->seeds.array;
  cut_growth g = {array_planes (a),      array_rows (a),
                  array_columns (a),     pixels_of_split<uint8_t> (&s->seeds),
                  (unsigned *) s->spare, pixels_of_split<unsigned> (&s->level)};
  uint8_t *taken = pixels_of_split<uint8_t> (&s->stairs);
  int is_there[SPLIT_AREA];
  unsigned now = 0;
  fv_status status = cuda_scratch (call, SPLIT_AREA + 2, &g.is_there, error);
  if (status)
    return status;
  g.has_grown = g.is_there + SPLIT_AREA;
  g.listed = (unsigned *) g.has_grown + 1;
  cudaMemsetAsync (g.is_there, 0, SPLIT_AREA * sizeof *g.is_there, cuda_stream (call));
  auto begin = [=] __device__ (int64_t i) {
    const uint8_t step = g.step[i];
    g.when[i] = step == SPLIT_AREA ? 0 : CUT_NEVER;
    if (step < SPLIT_AREA)
      g.is_there[step] = 1;
  };
  status = each_pixel_of_split (call, s, begin, error);
  if (!status)
    status = call->host->read (call, is_there, g.is_there, sizeof is_there, error);
  for (int step = SPLIT_AREA - 1; step > 0 && !status; step--)
    if (is_there[step])
      status = cut_grow_step (call, g, step, &now, error);
  auto end = [=] __device__ (int64_t i) { taken[i] = g.when[i] == CUT_NEVER ? 0 : 255; };
  return status ? status : each_pixel_of_split (call, s, end, error);
}
