/* SPDX-License-Identifier: MIT
 *
 * What split with method=imagej does at a pixel, on either device; see split_imagej.h.
 */
#ifndef KERNELS_SPLIT_SPLIT_IMAGEJ_PIXELS_H
#define KERNELS_SPLIT_SPLIT_IMAGEJ_PIXELS_H

#include "kernels/common/common.h"

enum { SPLIT_SWEEPS = 4, SPLIT_AREA = 255, SPLIT_DIRECTIONS = 8 };

/* The square of a distance without any background. */
#define SPLIT_FARTHEST 2147483647

#define SPLIT_ROOT2 1.4142135624f

/* Neighbors of a pixel, clockwise from above. */
#define SPLIT_AROUND_X                                                                                                 \
  {                                                                                                                    \
    0, 1, 1, 1, 0, -1, -1, -1                                                                                          \
  }
#define SPLIT_AROUND_Y                                                                                                 \
  {                                                                                                                    \
    -1, -1, 0, 1, 1, 1, 0, -1                                                                                          \
  }

/* The order of the directions in which areas grow, as numbers of neighbors: diagonals first. */
#define SPLIT_TURNS                                                                                                    \
  {                                                                                                                    \
    7, 3, 1, 5, 0, 4, 2, 6                                                                                             \
  }

/* A pixel of the background; x < 0: none. */
typedef struct split_site {
  int32_t x, y;
} split_site;

INLINE split_site
split_no_site (void)
{
  split_site none = {-1, -1};
  return none;
}

INLINE int64_t
split_square (split_site s, int64_t x, int64_t y)
{
  const int32_t across = (int32_t) x - s.x, down = (int32_t) y - s.y;
  const int64_t square = (int64_t) across * across + (int64_t) down * down;
  return s.x >= 0 && square < SPLIT_FARTHEST ? square : SPLIT_FARTHEST;
}

/* Which of three is nearest to (x, y), and the square of its distance; of equally near ones the first. */
INLINE split_site
split_nearest (split_site above, split_site diagonal, split_site before, int64_t x, int64_t y, int64_t *square)
{
  const int64_t by_diagonal = split_square (diagonal, x, y), by_before = split_square (before, x, y);
  split_site nearest = above;
  *square = split_square (above, x, y);
  if (by_diagonal < *square) {
    nearest = diagonal;
    *square = by_diagonal;
  }
  if (by_before < *square) {
    nearest = before;
    *square = by_before;
  }
  return nearest;
}

/* H of a pixel that is not at the edge of the image. */
INLINE float
split_height (const float *d, int64_t columns)
{
  const int64_t across[4] = {columns, columns - 1, 1, columns + 1};
  const float v = *d;
  float height = v + 0.5f * SPLIT_ROOT2;
  bool ridge = false;
  for (int i = 0; i < 4; i++) {
    const float a = d[-across[i]], b = d[across[i]], lower = a < b ? a : b;
    const bool here = v >= a && v >= b;
    const float most = (here ? (a + b) / 2 : lower) + (i % 2 ? SPLIT_ROOT2 : 1);
    ridge |= here;
    height = most < height ? most : height;
  }
  return ridge && v > 0 ? height : v;
}

/* The step of a distance, of which `most` is the greatest. */
INLINE uint8_t
split_step (float d, float most)
{
  const double range = (double) most - 1, factor = 253 / range, least = 1 - range * (0.5 / 253 - 1e-6);
  const double step = 1 + floor (((double) d - least) * (factor < 1 ? factor : 1) + 0.5);
  return d <= 0 ? 0 : step < 1 ? 1 : step > 254 ? 254 : (uint8_t) step;
}

/* Whether an area takes a pixel in this direction: bit i of `taken` is its neighbor i. Between side neighbors corners count as taken. */
INLINE bool
split_takes (unsigned taken, int direction)
{
  const unsigned sides = taken & 0x55, both = taken | sides << 1 | sides >> 1 | sides << 7;
  const unsigned around = both & 0xff, next = (around >> 1 | around << 7) & 0xff;
  unsigned changes = around ^ next, count = 0;
  for (; changes; changes &= changes - 1)
    count++;
  return (taken >> (direction + SPLIT_DIRECTIONS / 2) % SPLIT_DIRECTIONS & 1) && count < 4;
}

#endif
