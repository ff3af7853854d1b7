/* SPDX-License-Identifier: MIT
 *
 * thin: takes pixels off the edges of a mask, until lines one pixel wide are left, or `iterations` times. An iteration has two
 * halves; in each all pixels go at once that fulfil G1, G2 and G3 of the reference, of which G3 differs. Outside is background.
 * Words have 64 pixels of a row, the first in the lowest bit. Reference: skimage.morphology.thin.
 * L. Lam, S.-W. Lee, C. Y. Suen, IEEE Trans. Pattern Anal. Mach. Intell. 14 (1992) 869, page 879.
 */
#ifndef KERNELS_MORPHOLOGY_THIN_H
#define KERNELS_MORPHOLOGY_THIN_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct thin_args {
  int32_t iterations; /* 0: no limit */
} thin_args;

/* How words of a plane lie: with a word of background before and behind each row, and a row before and behind all. */
static inline int64_t
thin_pitch (int64_t columns)
{
  return (columns + 63) / 64 + 2;
}
static inline int64_t
thin_words (int64_t rows, int64_t columns)
{
  return (rows + 2) * thin_pitch (columns);
}

/* Which pixels have at least two of four neighbors; all four. */
INLINE uint64_t
thin_two_of (uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
  return (a & b) | (c & d) | ((a | b) & (c | d));
}

/* What is left of word *own in a half; up and down: the words above and below. */
INLINE uint64_t
thin_word (const uint64_t *up, const uint64_t *own, const uint64_t *down, int half)
{
  /* Neighbors from the right one on, against the clock. */
  const uint64_t x1 = own[0] >> 1 | own[1] << 63, x2 = up[0] >> 1 | up[1] << 63, x3 = up[0];
  const uint64_t x4 = up[0] << 1 | up[-1] >> 63, x5 = own[0] << 1 | own[-1] >> 63;
  const uint64_t x6 = down[0] << 1 | down[-1] >> 63, x7 = down[0], x8 = down[0] >> 1 | down[1] << 63;
  const uint64_t b1 = ~x1 & (x2 | x3), b2 = ~x3 & (x4 | x5), b3 = ~x5 & (x6 | x7), b4 = ~x7 & (x8 | x1);
  const uint64_t g1 = (b1 | b2 | b3 | b4) & ~thin_two_of (b1, b2, b3, b4);
  const uint64_t n1 = thin_two_of (x1 | x2, x3 | x4, x5 | x6, x7 | x8);
  const uint64_t n2 = thin_two_of (x2 | x3, x4 | x5, x6 | x7, x8 | x1);
  const uint64_t all = (x1 | x2) & (x3 | x4) & (x5 | x6) & (x7 | x8) & (x2 | x3) & (x4 | x5) & (x6 | x7) & (x8 | x1);
  const uint64_t g3 = half ? (x6 | x7 | ~x4) & x5 : (x2 | x3 | ~x8) & x1;
  return own[0] & ~(g1 & n1 & n2 & ~all & ~g3);
}

fv_status thin_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
