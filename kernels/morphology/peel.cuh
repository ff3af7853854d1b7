/* SPDX-License-Identifier: MIT
 *
 * Takes pixels off masks step by step, until nothing changes. Words of 64 pixels, see bits.h, go to and fro between two planes.
 *
 * - peel_pack_kernel and peel_unpack_kernel: a thread for 16 pixels, which reads or writes 16 bytes and 2.
 * - peel_kernel: PEEL_ROWS steps of a tile of 16 words by 8 strips of PEEL_ROWS rows. Two tiles read the outermost strips, and the next one writes
 *   them: the unknown there grows by a row or a pixel with each step. A thread has a word of each row of a strip in registers; its neighbors' come by
 *   shuffles and, above and below, from shared memory. One barrier a step. Reads and writes 8 bytes a word 1.8 times. Tiles around which nothing has
 *   changed in the launch before are left out; all kernels wait for none but those before them.
 *
 * A rule has `sides`: the steps repeat after as many, and when nothing has changed in as many, nothing more will. It also has word (up, own, down,
 * step): what is left of *own between the words above and below.
 */
#ifndef KERNELS_MORPHOLOGY_PEEL_CUH
#define KERNELS_MORPHOLOGY_PEEL_CUH

#include "kernels/common/bits.h"
#include "kernels/morphology/tile.cuh"

enum { PEEL_LANES = 16, PEEL_STRIPS = 8, PEEL_THREADS = PEEL_LANES * PEEL_STRIPS, PEEL_ROWS = 8, PEEL_AT_ONCE = 8 };
/* Words and rows that a tile writes. */
enum { PEEL_WIDE = PEEL_LANES - 2, PEEL_HIGH = (PEEL_STRIPS - 2) * PEEL_ROWS };

struct peel_planes {
  uint64_t *words[2]; /* launch i reads [i % 2] */
  uint8_t *busy[2];   /* for each tile, whether it has changed: launch i reads [i % 2], too */
  int64_t *last;      /* the last launch in which something has changed */
  int64_t planes, rows, columns, pitch, across, down;
};

__global__ static void __launch_bounds__ (256)
  peel_pack_kernel (view<const uint8_t> in, const __grid_constant__ peel_planes p)
{
  const int64_t tiles = p.planes * p.down * p.across;
  for (int64_t i = (int64_t) blockIdx.x * 256 + threadIdx.x; i < tiles; i += (int64_t) gridDim.x * 256)
    p.busy[0][i] = 1;
  if (blockIdx.x == 0 && threadIdx.x == 0)
    *p.last = 0;
  for (int64_t line = blockIdx.x; line < p.planes * p.rows; line += gridDim.x) {
    const uint8_t *row = in.row (line / p.rows, line % p.rows);
    uint16_t *to = (uint16_t *) (p.words[0] + line * p.pitch);
    for (int64_t i = threadIdx.x; i < 4 * p.pitch; i += 256) {
      const int64_t n = p.columns - 16 * i;
      const uint8_t *from = row + 16 * i;
      uint32_t bits = 0;
      if (n >= 16 && (uintptr_t) from % 16 == 0)
        bits = pack_bytes (*(const uint4 *) from);
      else
#pragma unroll
        for (int k = 0; k < 16; k++)
          bits |= (k < n && from[k] ? 1u : 0) << k;
      to[i] = (uint16_t) bits;
    }
  }
}

__global__ static void __launch_bounds__ (256)
  peel_unpack_kernel (view<uint8_t> out, const __grid_constant__ peel_planes p, int from)
{
  for (int64_t line = blockIdx.x; line < p.planes * p.rows; line += gridDim.x) {
    uint8_t *row = out.row (line / p.rows, line % p.rows);
    const uint16_t *words = (const uint16_t *) (p.words[from] + line * p.pitch);
    for (int64_t i = threadIdx.x; 16 * i < p.columns; i += 256) {
      const uint32_t bits = words[i];
      const int64_t n = p.columns - 16 * i;
      uint8_t *to = row + 16 * i;
      if (n >= 16 && (uintptr_t) to % 16 == 0)
        *(uint4 *) to = unpack_bytes (bits);
      else
        for (int64_t k = 0; k < n && k < 16; k++)
          to[k] = bits >> k & 1 ? 255 : 0;
    }
  }
}

/* Whether anything has changed in or beside a tile; for the whole block. */
__device__ __forceinline__ bool
peel_is_busy (const peel_planes &p, const uint8_t *busy, int64_t z, int64_t down, int64_t across)
{
  const int64_t y = down + (int) threadIdx.x / 3 - 1, x = across + (int) threadIdx.x % 3 - 1;
  const bool there = threadIdx.x < 9 && y >= 0 && y < p.down && x >= 0 && x < p.across;
  return __syncthreads_or (there && busy[(z * p.down + y) * p.across + x]);
}

/* A step of a strip; above and below: the words around it. Whether anything changes. */
template <typename Rule>
__device__ __forceinline__ bool
peel_strip (uint64_t (&rows)[PEEL_ROWS], uint64_t above, uint64_t below, int step)
{
  uint64_t near[3][3], changed = 0;
  auto take = [&] (uint64_t (&to)[3], uint64_t word) {
    to[0] = (uint64_t) __shfl_up_sync (~0u, (uint32_t) (word >> 32), 1, PEEL_LANES) << 32;
    to[1] = word;
    to[2] = __shfl_down_sync (~0u, (uint32_t) word, 1, PEEL_LANES);
  };
  take (near[0], above);
  take (near[1], rows[0]);
#pragma unroll
  for (int r = 0; r < PEEL_ROWS; r++) {
    take (near[(r + 2) % 3], r + 1 < PEEL_ROWS ? rows[r + 1 < PEEL_ROWS ? r + 1 : 0] : below);
    const uint64_t left = Rule::word (near[r % 3] + 1, near[(r + 1) % 3] + 1, near[(r + 2) % 3] + 1, step);
    changed |= left ^ rows[r];
    rows[r] = left;
  }
  return changed != 0;
}

/* Steps of launch `turn`, the first of which is step `first` of all; a block for each tile. */
template <typename Rule>
__global__ static void
__launch_bounds__ (PEEL_THREADS)
  peel_kernel (const __grid_constant__ peel_planes p, int64_t turn, int64_t first, int steps)
{
  __shared__ uint64_t edges[2][PEEL_STRIPS + 2][2][PEEL_LANES];
  const int lane = (int) threadIdx.x % PEEL_LANES, strip = (int) threadIdx.x / PEEL_LANES, now = (int) (turn % 2);
  const int64_t tile = blockIdx.x, across = tile % p.across, down = tile / p.across % p.down,
                z = tile / p.across / p.down;
  const int64_t x = across * PEEL_WIDE + lane - 1, y = down * PEEL_HIGH + (strip - 1) * PEEL_ROWS;
  const bool mine = lane > 0 && lane <= PEEL_WIDE && strip > 0 && strip < PEEL_STRIPS - 1;
  const bool inside = x >= 0 && x < p.pitch;
  uint64_t rows[PEEL_ROWS];
  bool changed = false, any = false;
  if (!peel_is_busy (p, p.busy[now], z, down, across)) {
    if (threadIdx.x == 0)
      p.busy[!now][tile] = 0;
    return;
  }
  const uint64_t *from = p.words[now] + z * p.rows * p.pitch + x;
#pragma unroll
  for (int r = 0; r < PEEL_ROWS; r++)
    rows[r] = inside && y + r >= 0 && y + r < p.rows ? from[(y + r) * p.pitch] : 0;
  edges[strip / 4 % 2][strip % 4 < 2 ? 0 : PEEL_STRIPS + 1][strip % 2][lane] = 0; /* beyond the tile */
  static_assert (PEEL_STRIPS >= 8, "one thread for each of these words");
  for (int step = 0, quiet = 0; step < steps; step++) {
    const int half = step % 2;
    edges[half][strip + 1][0][lane] = rows[0];
    edges[half][strip + 1][1][lane] = rows[PEEL_ROWS - 1];
    quiet = __syncthreads_or (changed) || step == 0 ? 0 : quiet + 1;
    if (quiet >= Rule::sides)
      break;
    changed = peel_strip<Rule> (rows, edges[half][strip][1][lane], edges[half][strip + 2][0][lane],
                                (int) ((first + step) % Rule::sides));
    any = any || changed;
  }
  uint64_t *to = p.words[!now] + z * p.rows * p.pitch + x;
#pragma unroll
  for (int r = 0; r < PEEL_ROWS; r++)
    if (mine && inside && y + r < p.rows)
      to[(y + r) * p.pitch] = rows[r];
  any = __syncthreads_or (any && mine);
  if (threadIdx.x == 0) {
    p.busy[!now][tile] = any;
    if (any)
      *p.last = turn;
  }
}

/* Steps until nothing changes, `most` of them unless that is 0. *turn: how many launches there were. */
template <typename Rule>
static fv_status
peel_steps (const fv_call *call, const peel_planes &p, int64_t most, int64_t *turn, fv_error *error)
{
  const int64_t tiles = p.planes * p.down * p.across;
  fv_status status = FV_OK;
  int64_t last = 0, done = 0;
  for (*turn = 0; last >= *turn - 1 && (!most || done < most) && !status;) {
    for (int i = 0; i < PEEL_AT_ONCE && (!most || done < most); i++, ++*turn) {
      const int steps = most && most - done < PEEL_ROWS ? (int) (most - done) : PEEL_ROWS;
      peel_kernel<Rule><<<(unsigned) tiles, PEEL_THREADS, 0, cuda_stream (call)>>> (p, *turn, done, steps);
      done += steps;
    }
    status = cuda_status (cudaGetLastError (), "Thinning", error);
    if (!status)
      status = call->host->read (call, &last, p.last, sizeof last, error);
    if (!status && call->host->tick (call, 0, 1))
      status = cancelled (error);
  }
  return status;
}

template <typename Rule>
static fv_status
peel_mask (const fv_call *call, int64_t most, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  peel_planes p = {};
  p.planes = array_planes (in);
  p.rows = array_rows (in);
  p.columns = array_columns (in);
  p.pitch = blocks_for (p.columns, 64);
  p.across = blocks_for (p.pitch, PEEL_WIDE);
  p.down = blocks_for (p.rows, PEEL_HIGH);
  const int64_t words = p.planes * p.rows * p.pitch, tiles = p.planes * p.down * p.across, lines = p.planes * p.rows;
  const int64_t enough = 32 * (int64_t) multiprocessors ();
  const unsigned blocks = (unsigned) (lines < enough ? lines : enough);
  int64_t turn;
  fv_status status = cuda_scratch (call, (size_t) (2 * words + 1), &p.words[0], error);
  if (!status)
    status = cuda_scratch (call, (size_t) (2 * tiles), &p.busy[0], error);
  if (status)
    return status;
  p.words[1] = p.words[0] + words;
  p.last = (int64_t *) (p.words[1] + words);
  p.busy[1] = p.busy[0] + tiles;
  peel_pack_kernel<<<blocks, 256, 0, cuda_stream (call)>>> (view_of<const uint8_t> (in), p);
  status = peel_steps<Rule> (call, p, most, &turn, error);
  if (status)
    return status;
  peel_unpack_kernel<<<blocks, 256, 0, cuda_stream (call)>>> (view_of<uint8_t> (call->outputs[0]), p, (int) (turn % 2));
  return cuda_status (cudaGetLastError (), "Thinning", error);
}

#endif
