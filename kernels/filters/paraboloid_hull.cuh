/* SPDX-License-Identifier: MIT
 *
 * Where the parabola touches some lines, by a block: a bit for each position, 32 of them a word, of those that may touch at all. A thread finds the
 * hull of a word in its registers. Then adjacent hulls are joined by pairs, a thread a pair, which only clears bits between the two positions where a
 * parabola touches both. Barriers: 4 and as many as the words of a line can be halved.
 */
#ifndef KERNELS_FILTERS_PARABOLOID_HULL_CUH
#define KERNELS_FILTERS_PARABOLOID_HULL_CUH

#include "kernels/common/row.cuh"
#include "kernels/filters/paraboloid_lines.h"

enum { PARABOLA_THREADS = 256, PARABOLA_BITS = 32 };

/* Lines in shared memory, with a gap after each word, so that threads of a warp that read one word each use all banks; or one line where it is in
 * the image. */
template <bool SHARED> struct parabola_lines {
  double *values;
  int64_t step; /* from position to position in the image */
  int pitch;    /* from line to line in shared memory */
  int n, words, count;
  double c;
  uint32_t *masks; /* [count][words] */
  int *before,
    *after; /* likewise: the nearest positions outside of the word that touch; before the first -1, behind the last -1 */

  __device__ __forceinline__ double &at (int line, int position) const
  {
    return SHARED ? values[line * pitch + position + position / PARABOLA_BITS] : values[position * step];
  }

  /* INFINITY beside the line. */
  __device__ __forceinline__ double at_or_outside (int line, int position) const
  {
    return position >= 0 && position < n ? at (line, position) : INFINITY;
  }
};

__device__ __forceinline__ int
parabola_highest (uint32_t word)
{
  return PARABOLA_BITS - 1 - __clz ((int) word);
}

/* The last position before `position` that touches, in words from `first` on, or -1. */
__device__ __forceinline__ int
parabola_before (const uint32_t *mask, int position, int first)
{
  int word = position / PARABOLA_BITS;
  uint32_t bits = mask[word] & ((1u << position % PARABOLA_BITS) - 1);
  while (!bits && word > first)
    bits = mask[--word];
  return bits ? word * PARABOLA_BITS + parabola_highest (bits) : -1;
}

/* The first one behind it, in words before `end`, or -1. */
__device__ __forceinline__ int
parabola_after (const uint32_t *mask, int position, int end)
{
  int word = position / PARABOLA_BITS;
  uint32_t bits = mask[word] & ~1u << position % PARABOLA_BITS;
  while (!bits && word + 1 < end)
    bits = mask[++word];
  return bits ? word * PARABOLA_BITS + __ffs ((int) bits) - 1 : -1;
}

/* What remains of those bits of a word. */
template <bool SHARED>
__device__ __forceinline__ uint32_t
parabola_hull_of_word (const parabola_lines<SHARED> &s, int line, int word, uint32_t bits)
{
  const int start = word * PARABOLA_BITS;
  uint32_t kept = 0;
  int a = -1, b = -1; /* the last two that are kept */
  double va = 0, vb = 0;
  for (; bits; bits &= bits - 1) {
    const int d = __ffs ((int) bits) - 1;
    const double vd = s.at (line, start + d);
    while (a >= 0 && paraboloid_over (va, vb, vd, b - a, d - b, s.c)) {
      kept ^= 1u << b;
      b = a;
      vb = va;
      const uint32_t left = kept & ((1u << b) - 1);
      a = left ? parabola_highest (left) : -1;
      va = left ? s.at (line, start + a) : 0;
    }
    kept |= 1u << d;
    a = b;
    va = vb;
    b = d;
    vb = vd;
  }
  return kept;
}

/* Makes one hull of those of the words first ... middle - 1 and middle ... end - 1. */
template <bool SHARED>
__device__ __forceinline__ void
parabola_join (const parabola_lines<SHARED> &s, int line, int first, int middle, int end)
{
  uint32_t *mask = s.masks + line * s.words;
  int a =
    mask[middle - 1] >> 31 ? middle * PARABOLA_BITS - 1 : parabola_before (mask, middle * PARABOLA_BITS - 1, first);
  int b = mask[middle] & 1 ? middle * PARABOLA_BITS : parabola_after (mask, middle * PARABOLA_BITS, end);
  if (a < 0 || b < 0)
    return;
  int left = parabola_before (mask, a, first), right = parabola_after (mask, b, end);
  double va = s.at (line, a), vb = s.at (line, b);
  double v_left = left < 0 ? 0 : s.at (line, left), v_right = right < 0 ? 0 : s.at (line, right);
  for (;;) {
    if (left >= 0 && paraboloid_over (v_left, va, vb, a - left, b - a, s.c)) {
      mask[a / PARABOLA_BITS] &= ~(1u << a % PARABOLA_BITS);
      a = left;
      va = v_left;
      left = parabola_before (mask, a, first);
      v_left = left < 0 ? 0 : s.at (line, left);
    } else if (right >= 0 && paraboloid_over (va, vb, v_right, b - a, right - b, s.c)) {
      mask[b / PARABOLA_BITS] &= ~(1u << b % PARABOLA_BITS);
      b = right;
      vb = v_right;
      right = parabola_after (mask, b, end);
      v_right = right < 0 ? 0 : s.at (line, right);
    } else
      return;
  }
}

/* The bits of all lines. */
template <bool SHARED>
__device__ __forceinline__ void
parabola_hulls (const parabola_lines<SHARED> &s)
{
  const int lane = (int) threadIdx.x % PARABOLA_BITS, all = s.count * s.words;
  for (int i = (int) threadIdx.x / PARABOLA_BITS; i < all; i += PARABOLA_THREADS / PARABOLA_BITS) {
    const int line = i / s.words, position = i % s.words * PARABOLA_BITS + lane;
    const bool may = paraboloid_may_touch (s.at_or_outside (line, position - 1), s.at_or_outside (line, position),
                                           s.at_or_outside (line, position + 1), s.c);
    const uint32_t bits = __ballot_sync (~0u, may);
    if (lane == 0)
      s.masks[i] = bits;
  }
  __syncthreads ();
  for (int i = (int) threadIdx.x; i < all; i += PARABOLA_THREADS)
    s.masks[i] = parabola_hull_of_word (s, i / s.words, i % s.words, s.masks[i]);
  for (int width = 1; width < s.words; width *= 2) {
    const int pairs = (s.words + width - 1) / (2 * width);
    __syncthreads ();
    for (int i = (int) threadIdx.x; i < s.count * pairs; i += PARABOLA_THREADS) {
      const int first = i % pairs * 2 * width;
      parabola_join (s, i / pairs, first, first + width, min (first + 2 * width, s.words));
    }
  }
  __syncthreads ();
}

/* What touches next to each word. */
template <bool SHARED>
__device__ __forceinline__ void
parabola_neighbors (const parabola_lines<SHARED> &s)
{
  for (int i = (int) threadIdx.x; i < s.count * s.words; i += PARABOLA_THREADS) {
    const uint32_t *mask = s.masks + i / s.words * s.words;
    const int position = i % s.words * PARABOLA_BITS;
    s.before[i] = parabola_before (mask, position, 0);
    s.after[i] = parabola_after (mask, position + PARABOLA_BITS - 1, s.words);
  }
  __syncthreads ();
}

/* How high the parabola is at a position; INFINITY where it is not, or touches. */
template <bool SHARED>
__device__ __forceinline__ double
parabola_height (const parabola_lines<SHARED> &s, int line, int position)
{
  const int word = position / PARABOLA_BITS, bit = position % PARABOLA_BITS, start = word * PARABOLA_BITS;
  const uint32_t bits = s.masks[line * s.words + word], below = bits & ((1u << bit) - 1), above = bits & ~1u << bit;
  const int a = below ? start + parabola_highest (below) : s.before[line * s.words + word];
  const int b = above ? start + __ffs ((int) above) - 1 : s.after[line * s.words + word];
  if (bits >> bit & 1 || a < 0 || b < 0)
    return INFINITY;
  return paraboloid_between (s.at (line, a), s.at (line, b), position - a, b - a, s.c);
}

#endif
