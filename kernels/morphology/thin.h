/* SPDX-License-Identifier: MIT
 *
 * thin: takes pixels off the edges of a mask, until lines one pixel wide are left, or `iterations` times. An iteration has two
 * halves; in each all pixels go at once that fulfill G1, G2 and G3 of the reference, of which G3 differs. Outside is background.
 * Reference: skimage.morphology.thin.
 * L. Lam, S.-W. Lee, C. Y. Suen, IEEE Trans. Pattern Anal. Mach. Intell. 14 (1992) 869, page 879.
 */
#ifndef KERNELS_MORPHOLOGY_THIN_H
#define KERNELS_MORPHOLOGY_THIN_H

#include "kernels/common/bits.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct thin_args {
  int32_t iterations; /* 0: no limit */
} thin_args;

/* What is left of word *own in a half; up and down: the words above and below. */
INLINE uint64_t
thin_word (const uint64_t *up, const uint64_t *own, const uint64_t *down, int half)
{
  const bits_near n = bits_near_of (up, own, down);
  const uint64_t b1 = ~n.x1 & (n.x2 | n.x3), b2 = ~n.x3 & (n.x4 | n.x5);
  const uint64_t b3 = ~n.x5 & (n.x6 | n.x7), b4 = ~n.x7 & (n.x8 | n.x1);
  const uint64_t g1 = (b1 | b2 | b3 | b4) & ~bits_two_of (b1, b2, b3, b4);
  const uint64_t s12 = n.x1 | n.x2, s34 = n.x3 | n.x4, s56 = n.x5 | n.x6, s78 = n.x7 | n.x8;
  const uint64_t s23 = n.x2 | n.x3, s45 = n.x4 | n.x5, s67 = n.x6 | n.x7, s81 = n.x8 | n.x1;
  const uint64_t n1 = bits_two_of (s12, s34, s56, s78), n2 = bits_two_of (s23, s45, s67, s81);
  const uint64_t all = s12 & s34 & s56 & s78 & s23 & s45 & s67 & s81;
  const uint64_t g3 = half ? (n.x6 | n.x7 | ~n.x4) & n.x5 : (n.x2 | n.x3 | ~n.x8) & n.x1;
  return own[0] & ~(g1 & n1 & n2 & ~all & ~g3);
}

fv_status thin_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
