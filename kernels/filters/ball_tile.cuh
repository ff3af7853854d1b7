/* SPDX-License-Identifier: MIT
 *
 * The ball under a tile of an image on the GPU: for each pixel the least sum of a pixel and how far the ball lies below its top there, its lift.
 *
 * A block has a tile of 32 columns and 64 rows, 8 warps of 8 rows each, a column for a thread. The 8 minima of a thread stay in registers while it
 * goes over the columns of the ball, from the middle outwards. It takes 8 rows of the tile at a time: 64 sums for 8 pixels and 15 lifts. They are
 * left out where the least of those pixels on the least of those lifts is below none of the warp's minima: of noise two of three. Shared memory: the
 * tile with what surrounds it, half of the ball, and minima of both; two barriers. Reads each pixel (1 + reach / 16) (1 + reach / 32) times, mostly
 * from L2.
 */
#ifndef KERNELS_FILTERS_BALL_TILE_CUH
#define KERNELS_FILTERS_BALL_TILE_CUH

#include "kernels/common/row.cuh"
#include "kernels/filters/rolling_ball_args.h"

enum { BALL_COLUMNS = 32, BALL_ROWS = 8, BALL_WARPS = 8, BALL_THREADS = BALL_COLUMNS * BALL_WARPS };

/* Sizes of what lies in shared memory. */
struct ball_sizes {
  int reach;
  int padded;      /* lifts of a column of the ball: with 8 before it, and enough behind it */
  int wide, steps; /* of the tile, which has `steps` times 8 rows */
};

static inline ball_sizes
ball_sizes_of (int reach)
{
  const int eighths = (2 * reach + BALL_ROWS) / BALL_ROWS + 2;
  return {reach, eighths * BALL_ROWS, BALL_COLUMNS + 2 * reach, BALL_WARPS + eighths - 2};
}

/* Numbers in shared memory. */
static inline int64_t
ball_numbers (const ball_sizes &s)
{
  const int64_t lifts = (int64_t) (s.reach + 1) * s.padded, pixels = (int64_t) s.wide * s.steps * BALL_ROWS;
  return lifts + lifts / BALL_ROWS + pixels + pixels / BALL_ROWS;
}

/* N: int or double. */
template <typename N> struct ball_tile {
  ball_sizes s;
  N *lifts; /* of the columns from the middle one on; a ball has two of each other */
  N *least; /* of the lifts from 7 before to 7 behind each 8th */
  N *tile;
  N *low; /* of 8 rows each */
};

template <typename N>
__device__ __forceinline__ ball_tile<N>
ball_tile_of (const ball_sizes &s, void *shared)
{
  N *lifts = (N *) shared, *least = lifts + (s.reach + 1) * s.padded,
    *tile = least + (s.reach + 1) * s.padded / BALL_ROWS;
  return {s, lifts, least, tile, tile + s.wide * s.steps * BALL_ROWS};
}

/* NaN is never lower. */
template <typename N>
__device__ __forceinline__ N
ball_lower (N a, N b)
{
  return a < b ? a : b;
}

/* lift (row, column) of the ball, from its corner on, `none` is not of it; pixel (row, column) of the tile, likewise from its corner on. */
template <typename N, typename Lift, typename Pixel>
__device__ __forceinline__ void
ball_fill (const ball_tile<N> &t, N none, Lift lift, Pixel pixel)
{
  const int side = 2 * t.s.reach + 1, lifts = (t.s.reach + 1) * t.s.padded, pixels = t.s.wide * t.s.steps * BALL_ROWS;
  for (int n = (int) threadIdx.x; n < lifts; n += BALL_THREADS) {
    const int row = n % t.s.padded - BALL_ROWS;
    t.lifts[n] = row >= 0 && row < side ? lift (row, n / t.s.padded + t.s.reach) : none;
  }
  for (int n = (int) threadIdx.x; n < pixels; n += BALL_THREADS)
    t.tile[n] = pixel (n / t.s.wide, n % t.s.wide);
  __syncthreads ();
  for (int n = (int) threadIdx.x; n < lifts / BALL_ROWS; n += BALL_THREADS) {
    N least = none;
    for (int k = 1; k < 2 * BALL_ROWS && n * BALL_ROWS + k < lifts; k++)
      least = ball_lower (t.lifts[n * BALL_ROWS + k], least);
    t.least[n] = least;
  }
  for (int n = (int) threadIdx.x; n < pixels / BALL_ROWS; n += BALL_THREADS) {
    const N *from = t.tile + n / t.s.wide * BALL_ROWS * t.s.wide + n % t.s.wide;
    N low = from[0];
    for (int k = 1; k < BALL_ROWS; k++)
      low = ball_lower (from[k * t.s.wide], low);
    t.low[n] = low;
  }
  __syncthreads ();
}

/* 16 numbers of shared memory, 16 bytes at a time. */
template <typename N>
__device__ __forceinline__ void
ball_load (const N *from, N (&to)[2 * BALL_ROWS])
{
  constexpr int each = 16 / (int) sizeof (N);
#pragma unroll
  for (int q = 0; q < 2 * BALL_ROWS / each; q++) {
    const sixteen<N> part = ((const sixteen<N> *) from)[q];
#pragma unroll
    for (int k = 0; k < each; k++)
      to[each * q + k] = part.v[k];
  }
}

template <typename N>
__device__ __forceinline__ N
ball_most (const N (&best)[BALL_ROWS])
{
  N most = best[0];
#pragma unroll
  for (int r = 1; r < BALL_ROWS; r++)
    most = most < best[r] ? best[r] : most;
  return most;
}

/* Lowers the thread's 8 numbers, which begin with what is above all sums, or below all where they are not wanted. */
template <typename N>
__device__ __forceinline__ void
ball_least (const ball_tile<N> &t, N (&best)[BALL_ROWS])
{
  const int lane = (int) threadIdx.x % BALL_COLUMNS, warp = (int) threadIdx.x / BALL_COLUMNS,
            eighths = t.s.padded / BALL_ROWS;
  N most = ball_most (best);
  for (int n = 0; n < 2 * t.s.reach + 1; n++) {
    const int beside = (n + 1) / 2, column = lane + (n % 2 ? t.s.reach - beside : t.s.reach + beside);
    for (int k = 0; k < eighths - 1; k++) {
      const N floor = t.low[(warp + k) * t.s.wide + column] + t.least[beside * eighths + k];
      if (!__any_sync (~0u, floor < most))
        continue;
      const N *from = t.tile + (warp + k) * BALL_ROWS * t.s.wide + column;
      N lift[2 * BALL_ROWS];
      ball_load (t.lifts + beside * t.s.padded + k * BALL_ROWS, lift);
#pragma unroll
      for (int u = 0; u < BALL_ROWS; u++) {
        const N v = from[u * t.s.wide];
#pragma unroll
        for (int r = 0; r < BALL_ROWS; r++)
          best[r] = ball_lower (v + lift[BALL_ROWS + u - r], best[r]);
      }
      most = ball_most (best);
    }
  }
}

#endif
