/* SPDX-License-Identifier: MIT
 *
 * ImageJ's outlines on the GPU.
 *
 * - trace_parts: a warp looks at 32 runs and walks around each 8-connected part that begins there, side after side, on tiles of 32 x 32 bits. It
 *   reads 4 KiB for about 28 pixels of the path and writes 24 bytes a run.
 * No synchronization but within warps.
 */
#ifndef KERNELS_REGIONS_REGION_TRACE_CUH
#define KERNELS_REGIONS_REGION_TRACE_CUH

#include "kernels/regions/outline_walk.h"
#include "kernels/regions/region_team.cuh"

enum { TILE = 32, TILE_MARGIN = 4 /* behind, so that most lies ahead */, TILE_LOADS = 8 };

/* Which of 32 x 32 pixels are the object's: lane i has the bits of row y + i and of column x + i. */
template <typename T> struct bit_tile {
  view<const T> labels;
  region box;
  int32_t y, x;
  uint32_t row, column;

  __device__ void load (int32_t z, int32_t at_y, int32_t at_x)
  {
    int lane = threadIdx.x & 31;
    y = at_y, x = at_x, row = column = 0;
    bool inside = x + lane >= box.low[2] && x + lane < box.high[2];
    int end = min (box.high[1] - y, TILE);
    for (int r = max (box.low[1] - y, 0); r < end; r += TILE_LOADS) {
      bool own[TILE_LOADS];
#pragma unroll
      for (int k = 0; k < TILE_LOADS; k++)
        own[k] = inside && r + k < end && (int32_t) labels.row (z, y + r + k)[x + lane] == box.label;
#pragma unroll
      for (int k = 0; k < TILE_LOADS; k++) {
        uint32_t bits = __ballot_sync (~0u, own[k]);
        row = lane == r + k ? bits : row;
        column |= own[k] ? 1u << (r + k) : 0;
      }
    }
  }
};

/* All lanes of a warp walk together, a straight side after the other, or as much of it as the tile shows. Bits of the
 * lines of pixels along the side are turned so that the way ahead is from low to high. */
template <typename T>
__device__ static inline outline
trace_part (bit_tile<T> &seen, const run &part)
{
  outline sum = {0, 0, 0};
  outline_walk w = outline_start (&part);
  seen.load (part.z, w.y - TILE_MARGIN, w.x - TILE / 2);
  do {
    bool across = w.direction & 1, back = w.direction == 1 || w.direction == 2;
    int beside = across ? w.y - seen.y : w.x - seen.x, along = across ? w.x - seen.x : w.y - seen.y;
    if (back)
      along = TILE - along;
    if (beside < 1 || beside >= TILE || along < 0 || along > TILE - 2) {
      int behind = back ? TILE - TILE_MARGIN : TILE_MARGIN;
      seen.load (part.z, w.y - (across ? TILE / 2 : behind), w.x - (across ? behind : TILE / 2));
      beside = TILE / 2, along = TILE_MARGIN;
    }
    uint32_t lines = across ? seen.row : seen.column;
    uint32_t low = __shfl_sync (~0u, lines, beside - 1), high = __shfl_sync (~0u, lines, beside);
    uint32_t right = w.direction < 2 ? low : high, left = w.direction < 2 ? high : low;
    if (back)
      right = __brev (right), left = __brev (left);
    /* Vertex along + 1 + k has pixel along + 1 + k ahead. */
    left >>= along + 1, right >>= along + 1;
    int straight = __ffs (~(right & ~left)) - 1, known = TILE - 1 - along;
    if (straight < known) {
      outline_go (&w, straight + 1, &sum);
      outline_turn (&w, left >> straight & 1, right >> straight & 1, &sum);
    } else
      outline_go (&w, known, &sum);
  } while (!outline_closed (&w, &part));
  return sum;
}

/* A warp looks at 32 runs and traces the parts that begin with one of them. */
template <typename T>
__global__ void
__launch_bounds__ (TEAM_BLOCK) trace_parts (region_set s, view<const T> labels, const int32_t *link, outline *traced)
{
  int64_t i = (int64_t) blockIdx.x * TEAM_BLOCK + threadIdx.x;
  uint32_t parts = __ballot_sync (~0u, i < s.n_runs && link[i] == i);
  outline mine = {0, 0, 0};
  int lane = threadIdx.x & 31;
  for (; parts; parts &= parts - 1) {
    int at = __ffs (parts) - 1;
    int64_t k = i - lane + at;
    bit_tile<T> seen = {labels, s.items[s.owner[k]], 0, 0, 0};
    outline sum = trace_part (seen, s.runs[k]);
    if (lane == at)
      mine = sum;
  }
  if (i < s.n_runs)
    traced[i] = mine;
}

#endif
