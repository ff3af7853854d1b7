/* SPDX-License-Identifier: MIT
 *
 * distance on the GPU. Bands of 64 rows of a column become words of background; with the nearest background of the bands above and below
 * a word tells each pixel's count at once. Along rows and planes a pixel asks its neighbours, from near to far, until one so far could
 * not be the nearest any more. No kernel has a barrier; all have blocks of 256 for 256 columns.
 *
 * words_kernel: a block for a band, reads a byte a pixel, writes a bit. bands_kernel: a block for a plane, reads a word and writes 8 bytes
 * for each 64 pixels, twice. columns_kernel: a block for a row, reads mostly from L2, writes 4 bytes a pixel. nearest_kernel: a block for a
 * row, reads 4 bytes a pixel and, mostly from L1 and L2, twice as many as its distance is; writes 4 bytes a pixel.
 */
#include "kernels/morphology/distance.h"
#include "kernels/common/common.cuh"

enum { THREADS = 256, BAND = 64 };

struct distance_map {
  view<const uint8_t> in;
  int64_t planes, rows, columns, bands, across; /* blocks across a row */
  uint64_t *words;                              /* [planes][bands][columns]: bit r is background at row r of the band */
  int32_t *above, *below;                       /* likewise: the nearest row of background of another band, or -1 */
};

/* What a pass along an axis reads and writes. */
struct distance_pass {
  const void *from; /* counts or costs, without gaps */
  view<float> to;
  int64_t stride, n; /* along the axis */
  double step;
  double column_step; /* of counts */
  bool across_planes, last;
};

/* Where the thread's pixel is: a block has one line. False outside. */
__device__ __forceinline__ bool
distance_place (const distance_map &m, int64_t lines, int64_t *plane, int64_t *line, int64_t *x)
{
  int64_t at = blockIdx.x / m.across;
  *x = (blockIdx.x - at * m.across) * THREADS + threadIdx.x;
  *plane = at / lines;
  *line = at - *plane * lines;
  return *x < m.columns;
}

__global__ static void
__launch_bounds__ (THREADS) words_kernel (distance_map m)
{
  int64_t plane, band, x;
  if (!distance_place (m, m.bands, &plane, &band, &x))
    return;
  int64_t first = band * BAND;
  int rows = m.rows - first < BAND ? (int) (m.rows - first) : BAND;
  uint64_t word = 0;
#pragma unroll 16
  for (int r = 0; r < rows; r++)
    word |= (uint64_t) (m.in.row (plane, first + r)[x] == 0) << r;
  m.words[(plane * m.bands + band) * m.columns + x] = word;
}

__global__ static void
__launch_bounds__ (THREADS) bands_kernel (distance_map m)
{
  int64_t plane, line, x;
  if (!distance_place (m, 1, &plane, &line, &x))
    return;
  int64_t column = plane * m.bands * m.columns + x;
  int32_t row = -1;
#pragma unroll 4
  for (int64_t band = 0; band < m.bands; band++) {
    uint64_t word = m.words[column + band * m.columns];
    m.above[column + band * m.columns] = row;
    row = word ? (int32_t) (band * BAND + 63 - __clzll ((long long) word)) : row;
  }
  row = -1;
#pragma unroll 4
  for (int64_t band = m.bands - 1; band >= 0; band--) {
    uint64_t word = m.words[column + band * m.columns];
    m.below[column + band * m.columns] = row;
    row = word ? (int32_t) (band * BAND + __ffsll ((long long) word) - 1) : row;
  }
}

__global__ static void
__launch_bounds__ (THREADS) columns_kernel (distance_map m, int32_t *counts)
{
  int64_t plane, y, x;
  if (!distance_place (m, m.rows, &plane, &y, &x))
    return;
  int64_t at = (plane * m.bands + y / BAND) * m.columns + x;
  int r = (int) (y % BAND);
  uint64_t word = m.words[at], before = word << (63 - r), after = word >> r;
  int32_t above = m.above[at], below = m.below[at], row = (int32_t) y;
  int32_t up = before ? __clzll ((long long) before) : above < 0 ? DISTANCE_NONE : row - above;
  int32_t down = after ? __ffsll ((long long) after) - 1 : below < 0 ? DISTANCE_NONE : below - row;
  counts[(plane * m.rows + y) * m.columns + x] = min (up, down);
}

/* What a pixel costs by the passes before. */
template <distance_metric METRIC>
__device__ __forceinline__ double
cost_before (const distance_pass &p, int64_t at)
{
  return p.across_planes ? (double) ((const float *) p.from)[at]
                         : distance_of_count (METRIC, ((const int32_t *) p.from)[at], p.column_step);
}

template <distance_metric METRIC>
__global__ static void
__launch_bounds__ (THREADS) nearest_kernel (distance_map m, distance_pass p)
{
  int64_t plane, y, x;
  if (!distance_place (m, m.rows, &plane, &y, &x))
    return;
  int64_t i = p.across_planes ? plane : x, at = (plane * m.rows + y) * m.columns + x;
  int64_t longest = max (i, p.n - 1 - i);
  double cost = cost_before<METRIC> (p, at);
  for (int64_t k = 1; k <= longest; k++) {
    double away = (double) k * p.step;
    if (distance_cost (METRIC, 0, away) >= cost)
      break;
    if (k <= i)
      cost = fmin (cost, distance_cost (METRIC, cost_before<METRIC> (p, at - k * p.stride), away));
    if (k < p.n - i)
      cost = fmin (cost, distance_cost (METRIC, cost_before<METRIC> (p, at + k * p.stride), away));
  }
  p.to.row (plane, y)[x] = p.last ? distance_root (METRIC, cost) : (float) cost;
}

/* ---- Host ---- */

static fv_status
launch_axis (const fv_call *call, const distance_map &m, const distance_pass &p, fv_error *error)
{
  unsigned blocks = (unsigned) (m.planes * m.rows * m.across);
  switch (((const distance_args *) call->args)->metric) {
  case DISTANCE_EUCLIDEAN: nearest_kernel<DISTANCE_EUCLIDEAN><<<blocks, THREADS, 0, cuda_stream (call)>>> (m, p); break;
  case DISTANCE_CITY: nearest_kernel<DISTANCE_CITY><<<blocks, THREADS, 0, cuda_stream (call)>>> (m, p); break;
  default: nearest_kernel<DISTANCE_CHESSBOARD><<<blocks, THREADS, 0, cuda_stream (call)>>> (m, p);
  }
  return cuda_status (cudaGetLastError (), "The distance map", error);
}

static fv_status
make_distance_map (const fv_call *call, distance_map *m, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  *m = {};
  m->in = view_of<const uint8_t> (in);
  m->planes = m->in.planes, m->rows = m->in.rows, m->columns = m->in.columns;
  m->bands = blocks_for (m->rows, BAND);
  m->across = blocks_for (m->columns, THREADS);
  if (m->rows > INT32_MAX || m->planes * m->rows * m->across > INT32_MAX)
    return fail (error, FV_UNSUPPORTED, "image", "The image has too many pixels for one call.");
  size_t words = (size_t) (m->planes * m->bands * m->columns);
  fv_status status = cuda_scratch (call, words, &m->words, error);
  if (!status)
    status = cuda_scratch (call, 2 * words, &m->above, error);
  m->below = m->above + words;
  return status;
}

/* How far background is in each column. */
static fv_status
launch_columns (const fv_call *call, const distance_map &m, int32_t *counts, fv_error *error)
{
  cudaStream_t stream = cuda_stream (call);
  words_kernel<<<(unsigned) (m.planes * m.bands * m.across), THREADS, 0, stream>>> (m);
  bands_kernel<<<(unsigned) (m.planes * m.across), THREADS, 0, stream>>> (m);
  columns_kernel<<<(unsigned) (m.planes * m.rows * m.across), THREADS, 0, stream>>> (m, counts);
  return cuda_status (cudaGetLastError (), "The distance map", error);
}

extern "C" fv_status
distance_cuda (const fv_call *call, fv_error *error)
{
  const distance_args *a = (const distance_args *) call->args;
  distance_map m;
  int32_t *counts;
  float *costs = NULL;
  double step[3];
  distance_steps (a, call->inputs[0]->grid, step);
  fv_status status = make_distance_map (call, &m, error);
  int64_t pixels = m.planes * m.rows * m.columns, plane = m.rows * m.columns;
  if (status || (status = cuda_scratch (call, (size_t) pixels, &counts, error))
      || (a->volume && (status = cuda_scratch (call, (size_t) pixels, &costs, error))))
    return status;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  view<float> out = view_of<float> (call->outputs[0]);
  view<float> between = {costs, m.planes, m.rows, m.columns, plane, m.columns};
  distance_pass rows = {counts, a->volume ? between : out, 1, m.columns, step[2], step[1], false, !a->volume};
  distance_pass planes = {costs, out, plane, m.planes, step[0], step[1], true, true};
  if ((status = launch_columns (call, m, counts, error)) || (status = launch_axis (call, m, rows, error)))
    return status;
  return a->volume ? launch_axis (call, m, planes, error) : FV_OK;
}
