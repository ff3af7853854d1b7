/* SPDX-License-Identifier: MIT
 *
 * How far the pixels of an image are, in their columns, from the nearest one that counts: one that is 0 or, where OF_ZERO is false, one
 * that is not. Bands of 64 rows of a column become words; with the nearest row of the bands above and below a word tells each pixel's count
 * at once. Blocks of 256 threads for 256 columns, without a barrier.
 *
 * column_words_kernel: a block for a band, reads each pixel, writes a bit. column_bands_kernel: a block for a plane, reads a word and
 * writes 8 bytes for each 64 pixels, twice.
 */
#ifndef KERNELS_COMMON_COLUMNS_CUH
#define KERNELS_COMMON_COLUMNS_CUH

#include "kernels/common/common.cuh"

enum { COLUMN_THREADS = 256, COLUMN_BAND = 64 };

template <typename T, bool OF_ZERO> struct column_map {
  view<const T> in;
  int64_t bands, across;  /* blocks across a row */
  uint64_t *words;        /* [planes][bands][columns]: bit r is a pixel that counts, at row r of the band */
  int32_t *above, *below; /* likewise: the nearest row of another band with such a pixel, or -1 */

  /* Where the thread's pixel is: a block has one line. False outside. */
  __device__ __forceinline__ bool position (int64_t lines, int64_t *plane, int64_t *line, int64_t *x) const
  {
    int64_t at = blockIdx.x / across;
    *x = (blockIdx.x - at * across) * COLUMN_THREADS + threadIdx.x;
    *plane = at / lines;
    *line = at - *plane * lines;
    return *x < in.columns;
  }

  /* none: what is returned where nothing in the column counts. */
  __device__ __forceinline__ int32_t count (int64_t plane, int64_t y, int64_t x, int32_t none) const
  {
    int64_t at = (plane * bands + y / COLUMN_BAND) * in.columns + x;
    int r = (int) (y % COLUMN_BAND);
    uint64_t word = words[at], before = word << (63 - r), after = word >> r;
    int32_t row = (int32_t) y, last = above[at], next = below[at];
    int32_t up = before ? __clzll ((long long) before) : last < 0 ? none : row - last;
    int32_t down = after ? __ffsll ((long long) after) - 1 : next < 0 ? none : next - row;
    return min (up, down);
  }
};

template <typename T, bool OF_ZERO>
__global__ static void
__launch_bounds__ (COLUMN_THREADS) column_words_kernel (column_map<T, OF_ZERO> m)
{
  int64_t plane, band, x;
  if (!m.position (m.bands, &plane, &band, &x))
    return;
  int64_t first = band * COLUMN_BAND, left = m.in.rows - first;
  int rows = left < COLUMN_BAND ? (int) left : COLUMN_BAND;
  uint64_t word = 0;
#pragma unroll 16
  for (int r = 0; r < rows; r++)
    word |= (uint64_t) ((m.in.row (plane, first + r)[x] == 0) == OF_ZERO) << r;
  m.words[(plane * m.bands + band) * m.in.columns + x] = word;
}

template <typename T, bool OF_ZERO>
__global__ static void
__launch_bounds__ (COLUMN_THREADS) column_bands_kernel (column_map<T, OF_ZERO> m)
{
  int64_t plane, line, x, columns = m.in.columns;
  if (!m.position (1, &plane, &line, &x))
    return;
  int64_t column = plane * m.bands * columns + x;
  int32_t row = -1;
#pragma unroll 4
  for (int64_t band = 0; band < m.bands; band++) {
    uint64_t word = m.words[column + band * columns];
    m.above[column + band * columns] = row;
    row = word ? (int32_t) (band * COLUMN_BAND + 63 - __clzll ((long long) word)) : row;
  }
  row = -1;
#pragma unroll 4
  for (int64_t band = m.bands - 1; band >= 0; band--) {
    uint64_t word = m.words[column + band * columns];
    m.below[column + band * columns] = row;
    row = word ? (int32_t) (band * COLUMN_BAND + __ffsll ((long long) word) - 1) : row;
  }
}

/* Makes the map of `in`, from which count() reads then. */
template <typename T, bool OF_ZERO>
static fv_status
map_columns (const fv_call *call, const view<const T> &in, column_map<T, OF_ZERO> *m, fv_error *error)
{
  *m = {in, blocks_for (in.rows, COLUMN_BAND), blocks_for (in.columns, COLUMN_THREADS), NULL, NULL, NULL};
  if (in.rows > INT32_MAX || in.columns > INT32_MAX || in.planes * in.rows * m->across > INT32_MAX)
    return fail (error, FV_UNSUPPORTED, "image", "The image has too many pixels for one call.");
  size_t words = (size_t) (in.planes * m->bands * in.columns);
  fv_status status = cuda_scratch (call, words, &m->words, error);
  if (!status)
    status = cuda_scratch (call, 2 * words, &m->above, error);
  if (status)
    return status;
  m->below = m->above + words;
  cudaStream_t stream = cuda_stream (call);
  column_words_kernel<<<(unsigned) (in.planes * m->bands * m->across), COLUMN_THREADS, 0, stream>>> (*m);
  column_bands_kernel<<<(unsigned) (in.planes * m->across), COLUMN_THREADS, 0, stream>>> (*m);
  return cuda_status (cudaGetLastError (), "Measuring columns", error);
}

#endif
