/* SPDX-License-Identifier: MIT
 *
 * First pass of label: the components of each tile, each with a root, its first run.
 */
#ifndef KERNELS_LABEL_TILE_CUH
#define KERNELS_LABEL_TILE_CUH

#include "kernels/label/links.cuh"
#include "kernels/label/pixels.cuh"

/* Half of a row, or of a row and one before it, as one thread has them. `run` is the last run before; a is the earlier. */
struct half {
  uint32_t start;
  int run;
};

__device__ static uint32_t
half_of (bits64 bits, int high)
{
  return (uint32_t) (high ? bits >> 32 : bits);
}

__device__ static half
make_half (bits64 start, int before, int high)
{
  return {half_of (start, high), before - 1 + (high ? __popc ((uint32_t) start) : 0)};
}

/* Unites the last runs that start up to each bit of `meet`; offsets choose the next ones instead. */
__device__ static void
unite_bits (tile_links links, uint32_t meet, const half &a, const half &b, int next_a, int next_b)
{
  for (; meet; meet &= meet - 1) {
    uint32_t till = meet ^ (meet - 1);
    unite (links, (uint32_t) (a.run + next_a + __popc (a.start & till)),
           (uint32_t) (b.run + next_b + __popc (b.start & till)));
  }
}

/* How many runs there are before each row; each warp for itself, two rows a lane. */
struct run_counts {
  int before, first, all; /* before row 2 * lane; in it; in the tile */
};

__device__ static run_counts
count_runs (bits64 start_even, bits64 start_odd)
{
  int lane = threadIdx.x % 32, first = __popcll (start_even), both = first + __popcll (start_odd), sum = both;
  for (int d = 1; d < 32; d *= 2) {
    int other = __shfl_up_sync (~0u, sum, d);
    sum += lane >= d ? other : 0;
  }
  return {sum - both, first, __shfl_sync (~0u, sum, 31)};
}

__device__ static int
runs_before (const run_counts &c, int r)
{
  int before = __shfl_sync (~0u, c.before, r / 2), first = __shfl_sync (~0u, c.first, r / 2);
  return r & 1 ? before + first : before;
}

enum { JUMPS = 4 }; /* rounds in which links are made to skip one */

template <bool EQUAL> struct tile_memory {
  static constexpr int room = LABEL_SIDE * LABEL_SIDE / (EQUAL ? 1 : 2);
  bits64 on[LABEL_SIDE], start[EQUAL ? LABEL_SIDE : 1], roots[LABEL_SIDE];
  uint32_t link[room];
  uint16_t at[room], before[LABEL_SIDE];
};

template <bool EQUAL>
__device__ static bits64
starts_of (const tile_memory<EQUAL> &m, int r)
{
  return EQUAL ? m.start[r] : m.on[r] & ~(m.on[r] << 1);
}

/* Links runs to the first run that they meet, or to themselves. `met`: the run that comes into this half has met another
 * before. Returns the meetings that are left. */
__device__ static uint32_t
link_runs (uint32_t *link, uint16_t *at, uint32_t meet, bool met, const half &a, const half &b, int position)
{
  int run = b.run;
  for (uint32_t bits = b.start; bits; bits &= bits - 1) {
    run++;
    link[run] = (uint32_t) run;
    at[run] = (uint16_t) (position + __ffs ((int) bits) - 1);
  }
  __syncwarp ();
  uint32_t left = 0, seen = 0;
  for (; meet; meet &= meet - 1) {
    uint32_t till = meet ^ (meet - 1);
    if (b.start & till & ~seen || !(seen || met))
      link[b.run + __popc (b.start & till)] = (uint32_t) (a.run + __popc (a.start & till));
    else
      left |= meet & -meet;
    seen = till;
  }
  return left;
}

/* Joins half a row to its neighbor d > 0. Two barriers with `equal`. */
template <typename T, bool EQUAL>
__device__ static void
join_neighbor (const view<const T> &in, const label_tiles &s, const tile &t, int d, tile_memory<EQUAL> &m,
               matches &match)
{
  int r = (int) threadIdx.x / 2, high = threadIdx.x & 1, other = row_before (s, r, d);
  if (EQUAL) {
    __syncthreads ();
    match_tile_rows (in, s, t, d, &match);
    __syncthreads ();
  }
  if (other < 0)
    return;
  bits64 start = starts_of (m, r), start_a = starts_of (m, other);
  half a = make_half (start_a, m.before[other], high), b = make_half (start, m.before[r], high);
  if (EQUAL) {
    unite_bits (tile_links{m.link}, half_of (match.across[r] & (start | start_a), high), a, b, 0, 0);
    unite_bits (tile_links{m.link}, half_of (match.right[r], high), a, b, 0, 1);
    unite_bits (tile_links{m.link}, half_of (match.left[r], high), a, b, 1, 0);
  } else
    unite_bits (tile_links{m.link}, half_of (meetings (m.on[other], start_a, m.on[r], start, s.reach[d]), high), a, b,
                0, 0);
}

/* Makes the links of all runs skip one, JUMPS times; two barriers each. */
template <int ROOM>
__device__ static void
shorten_links (uint32_t *link, int runs)
{
  const int me = (int) threadIdx.x, n = LABEL_TILE_THREADS;
  uint32_t up[ROOM / LABEL_TILE_THREADS];
#pragma unroll
  for (int k = 0; k < ROOM / n && k * n < runs; k++)
    up[k] = k * n + me < runs ? link[k * n + me] : 0;
  for (int jump = 0; jump < JUMPS; jump++) {
#pragma unroll
    for (int k = 0; k < ROOM / n && k * n < runs; k++)
      up[k] = link[up[k]];
    __syncthreads ();
#pragma unroll
    for (int k = 0; k < ROOM / n && k * n < runs; k++)
      if (k * n + me < runs)
        link[k * n + me] = up[k];
    __syncthreads ();
  }
}

/* Joins the rows within a tile; returns the number of runs. Two barriers and those of shorten_links; with `equal` two more
 * for each neighbor d > 0. */
template <typename T, bool EQUAL>
__device__ static int
join_tile (const view<const T> &in, const label_tiles &s, const tile &t, tile_memory<EQUAL> &m, matches &match)
{
  int lane = threadIdx.x % 32, r = (int) threadIdx.x / 2, high = threadIdx.x & 1, above = row_before (s, r, 0);
  run_counts counts = count_runs (starts_of (m, 2 * lane), starts_of (m, 2 * lane + 1));
  int before = runs_before (counts, r), before_a = runs_before (counts, above < 0 ? 0 : above);
  bits64 start = starts_of (m, r), start_a = above < 0 ? 0 : starts_of (m, above), meet = 0;

  if (EQUAL)
    meet = match.across[r] & (start | start_a);
  else if (above >= 0)
    meet = meetings (m.on[above], start_a, m.on[r], start, s.reach[0]);
  if (!high)
    m.before[r] = (uint16_t) before;
  half a = make_half (start_a, before_a, high), b = make_half (start, before, high);
  uint32_t low = (uint32_t) start;
  bool met = high && low && (uint32_t) meet >> (31 - __clz ((int) low));
  uint32_t left = link_runs (m.link, m.at, half_of (meet, high), met, a, b, (int) threadIdx.x * 32);
  __syncthreads ();
  shorten_links<tile_memory<EQUAL>::room> (m.link, counts.all);
  unite_bits (tile_links{m.link}, left, a, b, 0, 0);
  if (EQUAL) {
    unite_bits (tile_links{m.link}, half_of (match.right[r], high), a, b, 0, 1);
    unite_bits (tile_links{m.link}, half_of (match.left[r], high), a, b, 1, 0);
  }
  for (int d = 1; d < s.neighbors; d++)
    join_neighbor (in, s, t, d, m, match);
  __syncthreads ();
  return counts.all;
}

/* Half a row a thread. */
template <bool EQUAL>
__device__ static void
store_tile (const label_tiles &s, const tile &t, const tile_memory<EQUAL> &m)
{
  int r = (int) threadIdx.x / 2;
  if (r >= s.lines)
    return;
  size_t to = (size_t) t.index * s.lines + r;
  if (threadIdx.x & 1) {
    s.before[to] = m.before[r];
    if (row_inside (s, t, r))
      s.roots[(plane_of (s, t, r) * s.rows + row_of (s, t, r)) * s.across + t.tx] = m.roots[r];
  } else {
    s.on[to] = m.on[r];
    if (EQUAL)
      s.start[to] = m.start[r];
  }
}

/* One block of 128 a tile. Reads each pixel once (with `equal` in volumes up to 7 times, mostly from the cache). Writes 1/8 to 3/8 byte a pixel, 2
 * bytes a run and one link a component of the tile. Barriers of the block: 4 and those of shorten_links, with `equal` two more for each
 * neighboring row but one. Between barriers links are either written by the thread of the run alone, or read and written by all through atomics.
 * Clears what roots_kernel counts with. */
template <typename T, bool EQUAL, typename K>
__global__ void
__launch_bounds__ (LABEL_TILE_THREADS, EQUAL ? 8 : 12)
  tile_kernel (view<const T> in, label_tiles s, K *link, bool aligned)
{
  __shared__ tile_memory<EQUAL> m;
  __shared__ matches match;
  tile t = tile_of (s, blockIdx.x);

  if (threadIdx.x < 2 && t.index <= s.words / LABEL_THREADS)
    s.state[threadIdx.x ? t.index + 1 : 0] = 0;
  if (EQUAL)
    load_equal (in, s, t, m.on, m.start, &match);
  else if (aligned)
    load_vectors (in, s, t, m.on);
  else
    load_pixels (in, s, t, m.on);
  ((uint32_t *) m.roots)[threadIdx.x] = 0;
  __syncthreads ();
  int runs = join_tile (in, s, t, m, match);

  K *forest = forest_of (s, link, t);
  uint16_t *root = s.root + (size_t) t.index * s.room;
  for (int i = threadIdx.x; i < runs; i += LABEL_TILE_THREADS) {
    uint32_t up = m.link[i];
    for (uint32_t next; (next = m.link[up]) != up;)
      up = next;
    uint32_t at = m.at[up];
    root[i] = (uint16_t) at;
    if (up == (uint32_t) i) {
      K index = forest_index<K> (s, t, at);
      forest[index] = index;
      atomicOr ((unsigned *) m.roots + at / 32, 1u << at % 32);
    }
  }
  __syncthreads ();
  store_tile (s, t, m);
}

#endif
