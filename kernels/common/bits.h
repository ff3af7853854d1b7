/* SPDX-License-Identifier: MIT
 *
 * Masks as words of 64 pixels of a row, the first in the lowest bit, and the neighbors of all pixels of a word.
 */
#ifndef KERNELS_COMMON_BITS_H
#define KERNELS_COMMON_BITS_H

#include "kernels/common/common.h"

/* Words of a row. */
INLINE int64_t
bits_words (int64_t columns)
{
  return (columns + 63) / 64;
}

/* The bits 0 of eight bytes, the first in bit 0. */
INLINE uint64_t
bits_of_eight (const uint8_t *bytes)
{
  uint64_t eight;
  memcpy (&eight, bytes, sizeof eight);
  return (eight & 0x0101010101010101) * 0x0102040810204080 >> 56;
}

/* The neighbors of 64 pixels, from the right one on, against the clock. */
typedef struct bits_near {
  uint64_t x1, x2, x3, x4, x5, x6, x7, x8;
} bits_near;

/* up, own and down: the words of three rows, with one before and one behind. */
INLINE bits_near
bits_near_of (const uint64_t *up, const uint64_t *own, const uint64_t *down)
{
  bits_near n = {own[0] >> 1 | own[1] << 63,  up[0] >> 1 | up[1] << 63,      up[0],   up[0] << 1 | up[-1] >> 63,
                 own[0] << 1 | own[-1] >> 63, down[0] << 1 | down[-1] >> 63, down[0], down[0] >> 1 | down[1] << 63};
  return n;
}

/* Which pixels have at least two of four, or of three. */
INLINE uint64_t
bits_two_of_three (uint64_t a, uint64_t b, uint64_t c)
{
  return (a & b) | ((a | b) & c);
}
INLINE uint64_t
bits_two_of (uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
  return bits_two_of_three (a, b, c) | ((a | b | c) & d);
}

#endif
