/* SPDX-License-Identifier: MIT
 *
 * The four sweeps of split, method=imagej, on the GPU: cut_sweep_kernel, a warp for 32 rows of a sweep over a plane. A lane has a row and is a pixel
 * behind the lane before, which passes its sites on by shuffles. Those of the last row go through memory to the warp of the next rows, which is at
 * least 32 pixels behind and waits for them. Warps take bands by tickets, the first rows of all sweeps first, so that none waits for one that has not
 * begun. Reads a bit of each pixel, and one atomic minimum for each of the mask. cut_words_kernel, a warp for 32 pixels, makes these bits, and where
 * squares begin.
 */
#ifndef KERNELS_SPLIT_SPLIT_SWEEP_CUH
#define KERNELS_SPLIT_SPLIT_SWEEP_CUH

#include "kernels/common/common.cuh"
#include "kernels/split/split_imagej_pixels.h"

enum { SWEEP_ROWS = 32, SWEEP_WORDS_THREADS = 256 };

struct cut_sweeps {
  int64_t planes, rows, columns, across, bands; /* across: words of a row */
  unsigned *words;                              /* bit i is a pixel of the mask */
  unsigned *squares;
  split_site *lines; /* [planes][SPLIT_SWEEPS][columns]: of the last row of a band, in the order of the sweep */
  unsigned *done;    /* [planes][SPLIT_SWEEPS][bands]: how many of these a band has written */
  unsigned *ticket;
};

__global__ static void
__launch_bounds__ (SWEEP_WORDS_THREADS) cut_words_kernel (view<const uint8_t> mask, cut_sweeps s)
{
  const int64_t words = s.planes * s.rows * s.across, warps = (int64_t) gridDim.x * (SWEEP_WORDS_THREADS / 32);
  const int lane = (int) threadIdx.x & 31;
  for (int64_t i = ((int64_t) blockIdx.x * SWEEP_WORDS_THREADS + threadIdx.x) / 32; i < words; i += warps) {
    const int64_t line = i / s.across, x = 32 * (i - line * s.across) + lane, z = line / s.rows;
    const bool inside = x < s.columns, is = inside && mask.row (z, line - z * s.rows)[x];
    const unsigned word = __ballot_sync (~0u, is);
    if (inside)
      s.squares[line * s.columns + x] = is ? SPLIT_FARTHEST : 0;
    if (lane == 0)
      s.words[i] = word;
  }
}

/* A band of a sweep: the lane's row. */
struct sweep_band {
  bool left, is_there;
  int32_t y;
  int64_t columns, across;
  const unsigned *words;
  unsigned *squares;

  __device__ sweep_band (const cut_sweeps &s, int64_t sweep, int64_t band)
  {
    const int64_t row = band * SWEEP_ROWS + (threadIdx.x & 31), z = sweep / SPLIT_SWEEPS;
    left = sweep & 1;
    is_there = row < s.rows;
    y = is_there ? (int32_t) (sweep & 2 ? s.rows - 1 - row : row) : 0;
    columns = s.columns;
    across = s.across;
    words = s.words + (z * s.rows + y) * s.across;
    squares = s.squares + (z * s.rows + y) * s.columns;
  }

  __device__ unsigned word (int64_t i) const
  {
    return i >= 0 && i < across ? words[i] : 0;
  }

  /* 32 pixels from pixel i on, a multiple of 32, in the order of the sweep. */
  __device__ unsigned pixels (int64_t i) const
  {
    const int64_t first = columns - 32 - i;
    return left ? __brev (__funnelshift_r (word (first >> 5), word ((first >> 5) + 1), (unsigned) (first & 31)))
                : word (i / 32);
  }

  __device__ int32_t column (int64_t i) const
  {
    return (int32_t) (left ? columns - 1 - i : i);
  }
};

/* Sites of the row before the band from pixel i on, one for each lane. `done`: of the band before. */
__device__ static split_site
wait_for_sites (const split_site *line, const unsigned *done, int64_t i, int64_t columns)
{
  const unsigned needed = (unsigned) min (i + 32, columns);
  const int64_t own = i + (threadIdx.x & 31);
  unsigned seen;
  do
    asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(seen) : "l"(done) : "memory");
  while (seen < needed);
  if (own >= columns)
    return split_no_site ();
  const int2 site = __ldcg ((const int2 *) line + own);
  return split_site{site.x, site.y};
}

__device__ __forceinline__ split_site
site_of_lane (const split_site &s, int lane)
{
  return split_site{__shfl_sync (~0u, s.x, lane), __shfl_sync (~0u, s.y, lane)};
}

__device__ static void
sweep_rows (const cut_sweeps &s, int64_t sweep, int64_t band)
{
  const int lane = (int) threadIdx.x & 31;
  const sweep_band b (s, sweep, band);
  split_site *line = s.lines + sweep * s.columns, before = split_no_site (), diagonal = before, first = before;
  unsigned *done = s.done + sweep * s.bands + band, last = 0, next = b.pixels (0);
  for (int64_t turn = 0; turn < s.columns + SWEEP_ROWS - 1; turn += 32) {
    const unsigned bits = lane ? next << lane | last >> (32 - lane) : next;
    last = next;
    next = b.pixels (turn + 32);
    if (band)
      first = wait_for_sites (line, done - 1, turn, s.columns);
    for (int j = 0; j < 32; j++) {
      const int64_t i = turn + j - lane;
      const split_site beside = site_of_lane (before, (lane + 31) & 31), top = site_of_lane (first, j);
      const split_site above = lane ? beside : top;
      if (!b.is_there || i < 0 || i >= s.columns)
        continue;
      const int32_t x = b.column (i);
      if (bits >> j & 1) {
        int64_t square;
        before = split_nearest (above, diagonal, before, x, b.y, &square);
        atomicMin (&b.squares[x], (unsigned) square);
      } else
        before = split_site{x, b.y};
      diagonal = above;
      if (lane == 31)
        __stcg ((int2 *) line + i, make_int2 (before.x, before.y));
    }
    if (lane == 31) {
      __threadfence ();
      *(volatile unsigned *) done = (unsigned) min (turn + 1, s.columns);
    }
  }
}

__global__ static void __launch_bounds__ (32) cut_sweep_kernel (cut_sweeps s)
{
  const unsigned sweeps = (unsigned) (s.planes * SPLIT_SWEEPS), all = sweeps * (unsigned) s.bands;
  for (;;) {
    unsigned i = 0;
    if (threadIdx.x == 0)
      i = atomicAdd (s.ticket, 1u);
    i = __shfl_sync (~0u, i, 0);
    if (i >= all)
      return;
    sweep_rows (s, i % sweeps, i / sweeps);
  }
}

/* squares: of the least distance that a sweep has found for each pixel; words: memory for as many numbers as there are pixels. */
static fv_status
sweep_planes (const fv_call *call, const view<const uint8_t> &mask, unsigned *squares, unsigned *words, fv_error *error)
{
  cut_sweeps s = {mask.planes,
                  mask.rows,
                  mask.columns,
                  blocks_for (mask.columns, 32),
                  blocks_for (mask.rows, SWEEP_ROWS),
                  words,
                  squares,
                  NULL,
                  NULL,
                  NULL};
  const int64_t sweeps = SPLIT_SWEEPS * s.planes, all = sweeps * s.bands, most = 16 * (int64_t) multiprocessors ();
  const int64_t blocks = blocks_for (s.planes * s.rows * s.across, SWEEP_WORDS_THREADS / 32);
  cudaStream_t stream = cuda_stream (call);
  if (cuda_scratch (call, (size_t) (sweeps * s.columns), &s.lines, error)
      || cuda_scratch (call, (size_t) all + 1, &s.done, error))
    return error->code;
  s.ticket = s.done + all;
  cudaMemsetAsync (s.done, 0, (size_t) (all + 1) * sizeof *s.done, stream);
  cut_words_kernel<<<(unsigned) (blocks < most ? blocks : most), SWEEP_WORDS_THREADS, 0, stream>>> (mask, s);
  cut_sweep_kernel<<<(unsigned) (all < most ? all : most), 32, 0, stream>>> (s);
  return cuda_status (cudaGetLastError (), "Splitting", error);
}

#endif
