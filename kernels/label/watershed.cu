/* SPDX-License-Identifier: MIT
 *
 * watershed on the GPU: no flood, but its definition (watershed.h), twice by the same means: rounds over all pixels in which each takes the best of
 * its neighbours, until a round changes nothing. First (M, D), which is one 64-bit number; then the labels along it. Both only
 * fall, to values that do not depend on the order.
 *
 * start_kernel: grid-stride loop, reads a pixel, marker and mask, writes 16 bytes. round_kernel: a block of 256 for a tile of 32 x 32, four
 * pixels a thread, again and again until the tile does not change, which takes one barrier each time; through L2, about 8 bytes for each
 * neighbour of a pixel that may still change. finish_kernel: grid-stride loop, reads 4 bytes, with a line its neighbours', writes 4.
 */
#include "kernels/label/watershed.h"
#include "kernels/common/common.cuh"

enum { THREADS = 256, TILE = 32, EACH = TILE * TILE / THREADS, AGAIN = 64, ROUNDS = 8 };

/* Labels of pixels that are not flooded, and of those to which no label has come. */
enum { NOWHERE = -1, UNKNOWN = INT32_MAX };

typedef unsigned long long levels; /* M in the upper half, D in the lower; all bits: no marker reaches */

struct watershed_map {
  uint32_t *keys;
  levels *reached;
  int32_t *labels;
  int64_t planes, rows, columns, across, down; /* tiles */
  view<const int32_t> markers;                 /* markers keep what they have from the start */
  watershed_neighbours near;
};

/* The place of a pixel's neighbour; -1 outside the image. */
__device__ __forceinline__ int64_t
neighbour_at (const watershed_map &m, int k, int64_t z, int64_t y, int64_t x)
{
  z += m.near.z[k], y += m.near.y[k], x += m.near.x[k];
  bool outside = z < 0 || z >= m.planes || y < 0 || y >= m.rows || x < 0 || x >= m.columns;
  return outside ? -1 : (z * m.rows + y) * m.columns + x;
}

/* ---- Start and finish ---- */

__device__ __forceinline__ uint32_t
flood_key (uint8_t v)
{
  return watershed_key_u8 (v);
}
__device__ __forceinline__ uint32_t
flood_key (uint16_t v)
{
  return watershed_key_u16 (v);
}
__device__ __forceinline__ uint32_t
flood_key (int32_t v)
{
  return watershed_key_i32 (v);
}
__device__ __forceinline__ uint32_t
flood_key (float v)
{
  return watershed_key_f32 (v);
}
__device__ __forceinline__ uint32_t
flood_key (double v)
{
  return watershed_key_f64 (v);
}

template <typename T>
__global__ static void
__launch_bounds__ (THREADS) start_kernel (watershed_map m, view<const T> image, view<const uint8_t> mask, bool invert)
{
  int64_t count = m.planes * m.rows * m.columns;
  for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < count; i += (int64_t) gridDim.x * THREADS) {
    int64_t line = i / m.columns, x = i - line * m.columns, z = line / m.rows, y = line - z * m.rows;
    T v = image.row (z, y)[x];
    uint32_t key = invert ? ~flood_key (v) : flood_key (v);
    int32_t marker = m.markers.row (z, y)[x];
    bool outside = v != v || marker < 0 || (mask.data && !mask.row (z, y)[x]);
    m.keys[i] = key;
    m.labels[i] = outside ? NOWHERE : marker ? marker : UNKNOWN;
    m.reached[i] = outside || !marker ? ~(levels) 0 : (levels) key << 32;
  }
}

__global__ static void
__launch_bounds__ (THREADS) finish_kernel (watershed_map m, view<int32_t> out, bool part)
{
  int64_t count = m.planes * m.rows * m.columns;
  for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < count; i += (int64_t) gridDim.x * THREADS) {
    int64_t line = i / m.columns, x = i - line * m.columns, z = line / m.rows, y = line - z * m.rows;
    int32_t label = m.labels[i], least = label;
    for (int k = 0; k < m.near.n && part; k++) {
      int64_t at = neighbour_at (m, k, z, y, x);
      least = at >= 0 && m.labels[at] > 0 ? min (least, m.labels[at]) : least;
    }
    out.row (z, y)[x] = label > 0 && label != UNKNOWN && least == label ? label : 0;
  }
}

/* ---- Rounds ---- */

/* Whether a smaller (M, D) has come to a pixel: that of its best neighbour, gone on to the pixel. */
struct find_levels {
  static __device__ __forceinline__ bool improve (const watershed_map &m, int64_t i, int64_t z, int64_t y, int64_t x)
  {
    levels best = ~(levels) 0;
    for (int k = 0; k < m.near.n; k++) {
      int64_t at = neighbour_at (m, k, z, y, x);
      if (at >= 0)
        best = min (best, __ldcg (m.reached + at));
    }
    if (best == ~(levels) 0)
      return false;
    levels key = m.keys[i], mine = key > best >> 32 ? key << 32 : best + 1;
    if (mine >= __ldcg (m.reached + i))
      return false;
    __stcg (m.reached + i, mine);
    return true;
  }
};

/* Whether a smaller label has come to a pixel from those of its neighbours whose (M, D) is the least. */
struct find_labels {
  static __device__ __forceinline__ bool improve (const watershed_map &m, int64_t i, int64_t z, int64_t y, int64_t x)
  {
    levels best = ~(levels) 0;
    int32_t label = UNKNOWN;
    for (int k = 0; k < m.near.n; k++) {
      int64_t at = neighbour_at (m, k, z, y, x);
      levels reached = at >= 0 ? m.reached[at] : ~(levels) 0;
      if (reached > best || reached == ~(levels) 0)
        continue;
      int32_t other = __ldcg (m.labels + at);
      label = reached < best ? other : min (label, other);
      best = reached;
    }
    if (label >= __ldcg (m.labels + i))
      return false;
    __stcg (m.labels + i, label);
    return true;
  }
};

/* changed: whether each round of this launch and of the one before has changed a pixel; nothing is left to do after one that has not. */
template <typename F>
__global__ static void
__launch_bounds__ (THREADS) round_kernel (watershed_map m, uint32_t *changed, int round)
{
  if (round && !changed[round - 1])
    return;
  int64_t tile = blockIdx.x, z = tile / m.across / m.down, left = tile % m.across * TILE;
  int64_t top = tile / m.across % m.down * TILE, x = left + threadIdx.x % TILE, y[EACH];
  bool open[EACH], any = false;
#pragma unroll
  for (int e = 0; e < EACH; e++) {
    y[e] = top + (int) threadIdx.x / TILE + e * (THREADS / TILE);
    open[e] = x < m.columns && y[e] < m.rows && !m.markers.row (z, y[e])[x]
              && m.labels[(z * m.rows + y[e]) * m.columns + x] != NOWHERE;
  }
  for (int again = 0; again < AGAIN; again++) {
    bool mine = false;
#pragma unroll
    for (int e = 0; e < EACH; e++)
      if (open[e])
        mine |= F::improve (m, (z * m.rows + y[e]) * m.columns + x, z, y[e], x);
    any |= mine;
    if (!__syncthreads_or (mine))
      break;
  }
  if (any)
    changed[round] = 1;
}

/* ---- Host ---- */

static unsigned
blocks_of_pixels (const watershed_map &m)
{
  int64_t blocks = blocks_for (m.planes * m.rows * m.columns, THREADS), most = 16 * (int64_t) multiprocessors ();
  return (unsigned) (blocks < most ? blocks : most);
}

/* Rounds until one changes nothing. */
template <typename F>
static fv_status
run_rounds (const fv_call *call, const watershed_map &m, uint32_t *changed, fv_error *error)
{
  cudaStream_t stream = cuda_stream (call);
  uint32_t more = 1;
  while (more) {
    if (call->host->tick (call, 0, 1))
      return cancelled (error);
    fv_status status = cuda_status (cudaMemsetAsync (changed, 0, ROUNDS * sizeof *changed, stream), "Watershed", error);
    for (int round = 0; round < ROUNDS && !status; round++) {
      round_kernel<F><<<(unsigned) (m.planes * m.across * m.down), THREADS, 0, stream>>> (m, changed, round);
      status = cuda_status (cudaGetLastError (), "Watershed", error);
    }
    if (status || (status = call->host->read (call, &more, changed + ROUNDS - 1, sizeof more, error)))
      return status;
  }
  return FV_OK;
}

static fv_status
make_watershed_map (const fv_call *call, watershed_map *m, uint32_t **changed, fv_error *error)
{
  const fv_array *image = call->inputs[WATERSHED_IMAGE];
  *m = {};
  m->planes = array_planes (image), m->rows = array_rows (image), m->columns = array_columns (image);
  m->across = blocks_for (m->columns, TILE), m->down = blocks_for (m->rows, TILE);
  m->markers = view_of<const int32_t> (call->inputs[WATERSHED_MARKERS]);
  m->near = watershed_neighbours_of ((const watershed_args *) call->args);
  if (m->planes * m->across * m->down > INT32_MAX)
    return fail (error, FV_UNSUPPORTED, "image", "The image has too many pixels for one call.");
  size_t pixels = (size_t) (m->planes * m->rows * m->columns);
  fv_status status = cuda_scratch (call, pixels, &m->reached, error);
  if (!status)
    status = cuda_scratch (call, pixels, &m->keys, error);
  if (!status)
    status = cuda_scratch (call, pixels, &m->labels, error);
  return status ? status : cuda_scratch (call, ROUNDS, changed, error);
}

extern "C" fv_status
watershed_cuda (const fv_call *call, fv_error *error)
{
  const watershed_args *a = (const watershed_args *) call->args;
  const fv_array *image = call->inputs[WATERSHED_IMAGE], *mask = call->inputs[WATERSHED_MASK];
  cudaStream_t stream = cuda_stream (call);
  watershed_map m;
  uint32_t *changed;
  fv_status status = make_watershed_map (call, &m, &changed, error);
  if (status)
    return status;
  with_type (image->grid->type, [&] (auto zero) {
    typedef decltype (zero) T;
    start_kernel<T><<<blocks_of_pixels (m), THREADS, 0, stream>>> (
      m, view_of<const T> (image), mask ? view_of<const uint8_t> (mask) : view<const uint8_t>{}, a->invert);
  });
  if ((status = cuda_status (cudaGetLastError (), "Watershed", error))
      || (status = run_rounds<find_levels> (call, m, changed, error))
      || (status = run_rounds<find_labels> (call, m, changed, error)))
    return status;
  finish_kernel<<<blocks_of_pixels (m), THREADS, 0, stream>>> (m, view_of<int32_t> (call->outputs[0]), a->line);
  return cuda_status (cudaGetLastError (), "Watershed", error);
}
