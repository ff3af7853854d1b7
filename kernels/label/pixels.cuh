/* SPDX-License-Identifier: MIT
 *
 * Pixels of a tile to bits: foreground, where runs of equal pixels start, and which pixels of two rows are equal.
 */
#ifndef KERNELS_LABEL_PIXELS_CUH
#define KERNELS_LABEL_PIXELS_CUH

#include "kernels/label/label_tiles.cuh"

template <typename T>
__device__ static bool
foreground (T v)
{
  return v != T (0) && v == v;
}

/* Bits of the pixels in 16 bytes. */
template <typename T>
__device__ static uint32_t
vector_bits (uint4 v)
{
  uint32_t bits = 0;
  if constexpr (sizeof (T) == 1) {
    const uint32_t w[4] = {v.x, v.y, v.z, v.w};
    for (int i = 0; i < 4; i++) {
      uint32_t high = (((w[i] & 0x7f7f7f7f) + 0x7f7f7f7f) | w[i]) & 0x80808080;
      bits |= ((high >> 7) * 0x01020408 >> 24 & 15) << 4 * i;
    }
  } else {
    T pixels[16 / sizeof (T)];
    memcpy (pixels, &v, 16);
    for (int i = 0; i < (int) (16 / sizeof (T)); i++)
      bits |= (uint32_t) foreground (pixels[i]) << i;
  }
  return bits;
}

enum { LOADS = 4 }; /* in flight */

/* Rows that start at multiples of 16 bytes. */
template <typename T>
__device__ static void
load_vectors (const view<const T> &in, const label_tiles &s, const tile &t, bits64 *on)
{
  constexpr int each = 16 / sizeof (T), all = LABEL_SIDE * LABEL_SIDE / each / LABEL_TILE_THREADS,
                n = all < LOADS ? all : LOADS;
  for (int first = 0; first < all; first += n) {
    uint4 v[n];
    uint32_t tail[n];
#pragma unroll
    for (int k = 0; k < n; k++) {
      int i = (first + k) * LABEL_TILE_THREADS + (int) threadIdx.x, r = i / (LABEL_SIDE / each);
      uint32_t x = t.x + (uint32_t) (i % (LABEL_SIDE / each) * each);
      const T *p = in.row (plane_of (s, t, r), row_of (s, t, r)) + x;
      v[k] = make_uint4 (0, 0, 0, 0);
      tail[k] = 0;
      if (row_inside (s, t, r)) {
        if (x + each <= s.columns)
          v[k] = *(const uint4 *) p;
        else
          for (int j = 0; x + j < s.columns; j++)
            tail[k] |= (uint32_t) foreground (p[j]) << j;
      }
    }
#pragma unroll
    for (int k = 0; k < n; k++) {
      int i = (first + k) * LABEL_TILE_THREADS + (int) threadIdx.x;
      uint32_t bits = vector_bits<T> (v[k]) | tail[k];
      if constexpr (sizeof (T) == 1)
        ((uint16_t *) on)[i] = (uint16_t) bits;
      else if constexpr (sizeof (T) == 2)
        ((uint8_t *) on)[i] = (uint8_t) bits;
      else {
        bits |= __shfl_down_sync (~0u, bits, 1) << each;
        if constexpr (sizeof (T) == 8)
          bits |= __shfl_down_sync (~0u, bits, 2) << 2 * each;
        if (i % (8 / each) == 0)
          ((uint8_t *) on)[i / (8 / each)] = (uint8_t) bits;
      }
    }
  }
}

/* Any rows: each warp takes 16, pixel by pixel. */
template <typename T>
__device__ static void
load_pixels (const view<const T> &in, const label_tiles &s, const tile &t, bits64 *on)
{
  constexpr int n = 8;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  uint32_t mine = 0;
  for (int first = 0; first < 32; first += n) {
    T v[n];
#pragma unroll
    for (int k = 0; k < n; k++) {
      int r = warp * 16 + (first + k) / 2;
      uint32_t x = t.x + (uint32_t) ((first + k) % 2 * 32 + lane);
      v[k] = row_inside (s, t, r) && x < s.columns ? in.row (plane_of (s, t, r), row_of (s, t, r))[x] : T (0);
    }
#pragma unroll
    for (int k = 0; k < n; k++) {
      uint32_t bits = __ballot_sync (~0u, foreground (v[k]));
      mine = lane == first + k ? bits : mine;
    }
  }
  ((uint32_t *) on)[warp * 32 + lane] = mine;
}

/* ---- Equal values: rows of a tile as lanes hold them, pixels lane and lane + 32; 0 is any background ---- */

template <typename T> struct pair {
  T a, b;
};

template <typename T>
__device__ static pair<T>
load_pair (const view<const T> &in, const label_tiles &s, const tile &t, int r)
{
  pair<T> v = {0, 0};
  if (!row_inside (s, t, r))
    return v;
  const T *p = in.row (plane_of (s, t, r), row_of (s, t, r));
  uint32_t x = t.x + threadIdx.x % 32;
  if (x < s.columns)
    v.a = p[x];
  if (x + 32 < s.columns)
    v.b = p[x + 32];
  v.a = foreground (v.a) ? v.a : T (0);
  v.b = foreground (v.b) ? v.b : T (0);
  return v;
}

/* The pixels one to the right; 0 past the tile. */
template <typename T>
__device__ static pair<T>
next_pair (pair<T> v)
{
  T a = __shfl_down_sync (~0u, v.a, 1), b = __shfl_down_sync (~0u, v.b, 1), first = __shfl_sync (~0u, v.b, 0);
  bool last = threadIdx.x % 32 == 31;
  return {last ? first : a, last ? T (0) : b};
}

template <typename T>
__device__ static bits64
same (pair<T> v, pair<T> w)
{
  uint32_t low = __ballot_sync (~0u, v.a == w.a && v.a != T (0)),
           high = __ballot_sync (~0u, v.b == w.b && v.b != T (0));
  return (bits64) high << 32 | low;
}

/* Which pixels of rows equal that across in a neighbor, and those at the diagonals: (x, x + 1) and (x + 1, x). */
struct matches {
  bits64 across[LABEL_SIDE], right[LABEL_SIDE], left[LABEL_SIDE];
};

/* Bits, starts and matches with the row above; each warp takes 16 rows. */
template <typename T>
__device__ static void
load_equal (const view<const T> &in, const label_tiles &s, const tile &t, bits64 *on, bits64 *start, matches *m)
{
  int first = (int) threadIdx.x / 32 * 16;
  pair<T> a = {0, 0};
  if (row_before (s, first, 0) >= 0)
    a = load_pair (in, s, t, first - 1);
  pair<T> next_a = next_pair (a);
  for (int i = 0; i < 16; i += LOADS) {
    pair<T> rows[LOADS];
#pragma unroll
    for (int k = 0; k < LOADS; k++)
      rows[k] = load_pair (in, s, t, first + i + k);
#pragma unroll
    for (int k = 0; k < LOADS; k++) {
      int r = first + i + k;
      pair<T> b = rows[k], next_b = next_pair (b);
      bool above = row_before (s, r, 0) >= 0, corners = above && s.reach[0];
      bits64 fore = same (b, b), more = same (b, next_b), across = above ? same (a, b) : 0;
      bits64 right = corners ? same (a, next_b) : 0, left = corners ? same (next_a, b) : 0;
      if (threadIdx.x % 32 == 0) {
        on[r] = fore;
        start[r] = fore & ~(more << 1);
        m->across[r] = across;
        m->right[r] = right & ~across;
        m->left[r] = left & ~across;
      }
      a = b;
      next_a = next_b;
    }
  }
}

/* Matches with neighbor d. */
template <typename T>
__device__ static void
match_tile_rows (const view<const T> &in, const label_tiles &s, const tile &t, int d, matches *m)
{
  for (int i = 0; i < 16; i++) {
    int r = (int) threadIdx.x / 32 * 16 + i, before = row_before (s, r, d);
    bits64 across = 0, right = 0, left = 0;
    if (before >= 0) {
      pair<T> a = load_pair (in, s, t, before), b = load_pair (in, s, t, r);
      across = same (a, b);
      if (s.reach[d]) {
        right = same (a, next_pair (b)) & ~across;
        left = same (next_pair (a), b) & ~across;
      }
    }
    if (threadIdx.x % 32 == 0) {
      m->across[r] = across;
      m->right[r] = right;
      m->left[r] = left;
    }
  }
}

#endif
