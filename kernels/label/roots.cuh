/* SPDX-License-Identifier: MIT
 *
 * Third pass of label: roots of objects among those of tiles, and how many there are before each.
 */
#ifndef KERNELS_LABEL_ROOTS_CUH
#define KERNELS_LABEL_ROOTS_CUH

#include "kernels/label/links.cuh"
#include "kernels/label/label_tiles.cuh"

/* Follows the link of a root of a tile and makes it short. Others may do so at once: only minima keep short ones short. */
template <typename K>
__device__ static bool
flatten_root (const label_tiles &s, K *link, uint32_t word, int bit)
{
  uint32_t row = word / s.across, z = row / s.rows, y = row - z * s.rows,
           x = (word - row * s.across) * LABEL_SIDE + (uint32_t) bit;
  K *forest = s.volume ? link : link + z * s.plane_step;
  K own = (K) ((s.volume ? z * s.plane_step : 0) + y * s.row_step + x), at = own, up;
  const links<K> l = {forest};
  while ((up = l.get (at)) != at) {
    K next = l.get (up);
    if (next != up)
      l.lower (at, next);
    at = next;
  }
  if (at != own)
    l.lower (own, at);
  return at == own;
}

/* What a warp knows of its words: bits, those of roots of objects, and bits before. */
template <int EACH> struct warp_words {
  bits64 bits[32 * EACH], kept[32 * EACH];
  uint16_t before[32 * EACH];
};

/* Keeps the bits of roots of objects. The bits of all words from `first` on are dealt to all lanes. */
template <int EACH, typename K>
__device__ static void
flatten_words (const label_tiles &s, K *link, uint32_t first, bits64 *words, warp_words<EACH> *w)
{
  uint32_t lane = threadIdx.x % 32, all = 0, n;
#pragma unroll
  for (int k = 0; k < EACH; k++) {
    w->bits[32 * k + lane] = words[k];
    w->kept[32 * k + lane] = 0;
    w->before[32 * k + lane] = (uint16_t) (all + warp_scan ((uint32_t) __popcll (words[k]), &n));
    all += n;
  }
  __syncwarp ();
  for (uint32_t i = lane; i < all; i += 32) {
    uint32_t owner = 0;
    for (uint32_t d = 16 * EACH; d; d /= 2)
      owner += w->before[owner + d] <= i ? d : 0;
    int bit = find_bit (w->bits[owner], (int) (i - w->before[owner]));
    if (!flatten_root (s, link, first + owner, bit))
      continue;
    atomicOr ((unsigned *) (w->kept + owner) + bit / 32, 1u << bit % 32);
    if (s.sizes && s.long_sizes)
      ((uint64_t *) s.sizes)[size_index (s, {first + owner, bit})] = 0;
    else if (s.sizes)
      ((uint32_t *) s.sizes)[size_index (s, {first + owner, bit})] = 0;
  }
  __syncwarp ();
#pragma unroll
  for (int k = 0; k < EACH; k++)
    words[k] = w->kept[32 * k + lane];
}

/* Drops roots of objects of unwanted size. */
__device__ static bits64
filter_word (const label_tiles &s, uint32_t word, bits64 bits)
{
  bits64 kept = bits;
  for (; bits; bits &= bits - 1) {
    int bit = __ffsll ((long long) bits) - 1;
    size_t at = size_index (s, {word, bit});
    uint64_t size = s.long_sizes ? ((const uint64_t *) s.sizes)[at] : ((const uint32_t *) s.sizes)[at];
    if (size < s.least || (s.most && size > s.most))
      kept &= ~(1ull << bit);
  }
  return kept;
}

/* Sum over all blocks before, by one warp: each block leaves its own sum, and then that of all up to it. D. Merrill,
 * M. Garland, NVIDIA NVR-2016-002. */
__device__ static uint32_t
blocks_before (bits64 *state, uint32_t block, uint32_t sum)
{
  const bits64 own = 1ull << 62, whole = 2ull << 62;
  volatile bits64 *states = state;
  uint32_t lane = threadIdx.x % 32, before = 0;

  if (lane == 0)
    states[block] = (block ? own : whole) | sum;
  for (int64_t look = (int64_t) block - 1 - lane;; look -= 32) {
    bits64 v = whole;
    while (look >= 0 && !((v = states[look]) >> 62))
      ;
    uint32_t ends = __ballot_sync (~0u, v >> 62 == 2), part = ends && lane > __ffs ((int) ends) - 1u ? 0 : (uint32_t) v;
    for (int d = 16; d; d /= 2)
      part += __shfl_xor_sync (~0u, part, d);
    before += part;
    if (ends)
      break;
  }
  if (lane == 0 && block)
    states[block] = whole | (uint32_t) (before + sum);
  return before;
}

enum stage { FLATTEN = 1, NUMBER = 2 };

/* Writes how many bits there are before each word. Two barriers. */
template <int EACH>
__device__ static void
number_words (const label_tiles &s, uint32_t block, uint32_t first, const bits64 *words)
{
  __shared__ uint32_t sums[LABEL_THREADS / 32];
  uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, before[EACH], own = 0, n;
#pragma unroll
  for (int k = 0; k < EACH; k++) {
    before[k] = own + warp_scan ((uint32_t) __popcll (words[k]), &n);
    own += n;
  }
  if (lane == 0)
    sums[warp] = own;
  __syncthreads ();
  if (warp == 0) {
    uint32_t in_block = warp_scan (lane < LABEL_THREADS / 32 ? sums[lane] : 0, &n);
    uint32_t others = blocks_before (s.state + 1, block, n);
    if (lane < LABEL_THREADS / 32)
      sums[lane] = others + in_block;
  }
  __syncthreads ();
#pragma unroll
  for (int k = 0; k < EACH; k++)
    if (first + 32 * k + lane <= s.words)
      s.rank[first + 32 * k + lane] = sums[warp] + before[k];
}

/* A block of 256 for EACH words a thread; 8 bytes a word read, up to 12 written, and the links of the roots of tiles followed.
 * Barriers of the block: 3. A block waits for sums of blocks that took their number before. */
template <typename K, int STAGES, int EACH>
__global__ void
__launch_bounds__ (LABEL_THREADS) roots_kernel (label_tiles s, K *link)
{
  __shared__ uint32_t number;
  __shared__ warp_words<EACH> memory[STAGES & FLATTEN ? LABEL_THREADS / 32 : 1];
  uint32_t block = blockIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;

  if (STAGES & NUMBER) {
    if (threadIdx.x == 0)
      number = (uint32_t) atomicAdd (s.state, 1ull);
    __syncthreads ();
    block = number;
  }
  uint32_t first = block * (EACH * LABEL_THREADS) + warp * (32 * EACH);
  bits64 words[EACH], kept[EACH];
#pragma unroll
  for (int k = 0; k < EACH; k++)
    kept[k] = words[k] = first + 32 * k + lane < s.words ? s.roots[first + 32 * k + lane] : 0;
  if (STAGES & FLATTEN)
    flatten_words<EACH> (s, link, first, kept, memory + warp);
#pragma unroll
  for (int k = 0; k < EACH; k++) {
    uint32_t word = first + 32 * k + lane;
    if (!(STAGES & FLATTEN) && s.sizes)
      kept[k] = filter_word (s, word, words[k]);
    if (kept[k] != words[k])
      s.roots[word] = kept[k];
  }
  if (STAGES & NUMBER)
    number_words<EACH> (s, block, first, kept);
}

/* Few words a thread keep a small image on all of the device; many make fewer sums to wait for. */
template <int STAGES, typename K>
static void
launch_roots (const label_tiles &s, K *link, cudaStream_t stream)
{
  constexpr int many = 4;
  if (s.words < 1 << 20)
    roots_kernel<K, STAGES, 1><<<s.words / LABEL_THREADS + 1, LABEL_THREADS, 0, stream>>> (s, link);
  else
    roots_kernel<K, STAGES, many><<<s.words / (many * LABEL_THREADS) + 1, LABEL_THREADS, 0, stream>>> (s, link);
}

#endif
