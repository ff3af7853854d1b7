/* SPDX-License-Identifier: MIT
 *
 * Last pass of label: what objects are dropped, and the labels of the pixels.
 */
#ifndef KERNELS_LABEL_PAINT_CUH
#define KERNELS_LABEL_PAINT_CUH

#include "kernels/label/label_tiles.cuh"

template <bool EQUAL> struct paint_memory {
  bits64 on[LABEL_SIDE], start[LABEL_SIDE];
  int run[2 * LABEL_SIDE];                                    /* the last that starts before half a row */
  uint32_t values[LABEL_SIDE * LABEL_SIDE / (EQUAL ? 1 : 2)]; /* of runs */
};

/* Returns the number of runs. One barrier. */
template <bool EQUAL>
__device__ static int
load_tile (const label_tiles &s, const tile &t, paint_memory<EQUAL> &m)
{
  int r = threadIdx.x;
  if (r < LABEL_SIDE) {
    size_t at = (size_t) t.index * s.lines + r;
    bits64 on = r < s.lines ? s.on[at] : 0, start = r >= s.lines ? 0 : EQUAL ? s.start[at] : on & ~(on << 1);
    int run = r < s.lines ? s.before[at] - 1 : 0;
    m.on[r] = on;
    m.start[r] = start;
    m.run[2 * r] = run;
    m.run[2 * r + 1] = run + __popc ((uint32_t) start);
  }
  __syncthreads ();
  return m.run[2 * s.lines - 1] + __popc ((uint32_t) (m.start[s.lines - 1] >> 32)) + 1;
}

/* The last run that starts up to row * 64 + column. */
template <bool EQUAL>
__device__ static int
run_at (const paint_memory<EQUAL> &m, uint32_t position)
{
  return m.run[position / 32] + __popc (((const uint32_t *) m.start)[position / 32] & ~0u >> (31 - position % 32));
}

/* ---- Dropping objects ---- */

/* One block of 256 a tile. Reads 2 bytes a run and the bits; adds a number for each component of the tile to the size of its
 * object, and clears the bits of objects at the border. Three barriers of the block. */
template <typename K, bool EQUAL>
__global__ void
__launch_bounds__ (LABEL_THREADS) measure_kernel (label_tiles s, K *link)
{
  const uint32_t at_border = 1u << 31;
  __shared__ paint_memory<EQUAL> m;
  tile t = tile_of (s, blockIdx.x);
  const uint16_t *root = s.root + (size_t) t.index * s.room;
  int runs = load_tile (s, t, m), r = (int) threadIdx.x / 4;
  uint32_t y = row_of (s, t, r), z = plane_of (s, t, r);
  bool edge = y == 0 || y == s.rows - 1 || (s.volume && (z == 0 || z == s.planes - 1));

  for (int i = threadIdx.x; i < runs; i += LABEL_THREADS)
    m.values[i] = 0;
  __syncthreads ();
  bits64 on = m.on[r], start = m.start[r], mine = start & 0xffffull << 16 * (threadIdx.x % 4);
  for (; mine; mine &= mine - 1) {
    int x = __ffsll ((long long) mine) - 1;
    bits64 stop = (~on | start) & ~upto (x);
    int end = stop ? __ffsll ((long long) stop) - 1 : LABEL_SIDE;
    int to = run_at (m, root[run_at (m, (uint32_t) (r * LABEL_SIDE + x))]);
    atomicAdd (m.values + to, (uint32_t) (end - x));
    if (s.border && (edge || t.x + x == 0 || t.x + end == s.columns))
      atomicOr (m.values + to, at_border);
  }
  __syncthreads ();
  K *forest = forest_of (s, link, t);
  for (int i = threadIdx.x; i < runs; i += LABEL_THREADS) {
    uint32_t value = m.values[i];
    if (!value)
      continue;
    mark at = mark_of<K> (s, t, forest[forest_index<K> (s, t, root[i])]);
    if (s.sizes && s.long_sizes)
      atomicAdd ((bits64 *) s.sizes + size_index (s, at), (bits64) (value & ~at_border));
    else if (s.sizes)
      atomicAdd ((uint32_t *) s.sizes + size_index (s, at), value & ~at_border);
    if (value & at_border && *(volatile bits64 *) (s.roots + at.word) >> at.bit & 1)
      atomicAnd (s.roots + at.word, ~(1ull << at.bit));
  }
}

/* ---- Labels ---- */

template <typename K>
__device__ static int32_t
label_at (const label_tiles &s, const tile &t, K *forest, uint32_t position, uint32_t first)
{
  mark m = mark_of<K> (s, t, ((volatile K *) forest)[forest_index<K> (s, t, position)]);
  bits64 bits = s.roots[m.word];
  uint32_t rank = s.rank[m.word] + (uint32_t) __popcll (bits & upto (m.bit)) - first;
  return bits >> m.bit & 1 ? (int32_t) rank : 0;
}

/* Labels of all runs of a tile to m.values. Two barriers. */
template <typename K, bool EQUAL>
__device__ static void
label_runs (const label_tiles &s, const tile &t, K *link, int runs, uint32_t first, paint_memory<EQUAL> &m)
{
  const uint16_t *root = s.root + (size_t) t.index * s.room;
  K *forest = forest_of (s, link, t);
  for (int i = threadIdx.x; i < runs; i += LABEL_THREADS) {
    uint32_t position = root[i];
    int to = run_at (m, position);
    m.values[i] = to == i ? (uint32_t) label_at (s, t, forest, position, first) : ~(uint32_t) to;
  }
  __syncthreads ();
  for (int i = threadIdx.x; i < runs; i += LABEL_THREADS) {
    uint32_t value = m.values[i];
    if (value >> 31)
      m.values[i] = m.values[~value];
  }
  __syncthreads ();
}

/* One block of 256 a tile. Writes 4 bytes a pixel; reads the bits, 2 bytes a run, and for each component of the tile its link,
 * a word of roots and its rank. All links of the tile are read before labels overwrite them. Three barriers of the
 * block. The first tile of a plane, or of the volume, writes the count. */
template <typename K, bool EQUAL>
__global__ void
__launch_bounds__ (LABEL_THREADS)
  paint_kernel (label_tiles s, K *link, view<int32_t> out, double *objects, bool aligned)
{
  __shared__ paint_memory<EQUAL> m;
  tile t = tile_of (s, blockIdx.x);
  uint32_t plane_words = s.rows * s.across, first = s.volume ? 0 : s.rank[t.z * plane_words];
  int runs = load_tile (s, t, m);

  if (threadIdx.x == 0 && t.x == 0 && t.y == 0 && (!s.volume || t.z == 0))
    objects[s.volume ? 0 : t.z] = s.volume ? s.rank[s.words] : s.rank[(t.z + 1) * plane_words] - first;
  label_runs (s, t, link, runs, first, m);
  if (!aligned) {
    for (int i = threadIdx.x; i < LABEL_SIDE * s.lines; i += LABEL_THREADS) {
      int r = i / LABEL_SIDE, x = i % LABEL_SIDE;
      if (row_inside (s, t, r) && t.x + x < s.columns)
        out.row (plane_of (s, t, r), row_of (s, t, r))[t.x + x] =
          m.on[r] >> x & 1 ? (int32_t) m.values[run_at (m, i)] : 0;
    }
    return;
  }
#pragma unroll
  for (int k = 0; k < LABEL_SIDE * LABEL_SIDE / 4 / LABEL_THREADS; k++) {
    int i = k * LABEL_THREADS + (int) threadIdx.x, r = i / (LABEL_SIDE / 4), x = i % (LABEL_SIDE / 4) * 4;
    if (!row_inside (s, t, r) || t.x + x >= s.columns)
      continue;
    uint32_t on = ((const uint32_t *) m.on)[i / 8] >> x % 32 & 15, start = ((const uint32_t *) m.start)[i / 8];
    int32_t v[4] = {0, 0, 0, 0}, *to = out.row (plane_of (s, t, r), row_of (s, t, r)) + t.x + x;
    int run = m.run[i / 8] + __popc (start & ((1u << x % 32) - 1));
    start >>= x % 32;
    if (on)
      for (int j = 0; j < 4; j++) {
        run += start >> j & 1;
        v[j] = on >> j & 1 ? (int32_t) m.values[run] : 0;
      }
    if (t.x + x + 4 <= s.columns)
      *(int4 *) to = make_int4 (v[0], v[1], v[2], v[3]);
    else
      for (int j = 0; j < 3 && t.x + x + j < s.columns; j++)
        to[j] = v[j];
  }
}

#endif
