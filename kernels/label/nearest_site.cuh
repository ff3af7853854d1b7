/* SPDX-License-Identifier: MIT
 *
 * The nearest site of each pixel of a line: the first i with the minimal (x - i)^2 + d(i), where d(i) is the squared distance of pixel i to a label.
 * Of two pixels the one that is farther along the line has no site before the other's. So a warp first finds the sites of every 16th pixel of a
 * piece, each by all lanes between the two sites found before it. Then each lane searches between two of these. All do so in blocks of four sites,
 * which are read at once, so that the work is that of reading the line some times, however far sites are. Where only near ones count a lane looks at
 * these alone.
 */
#ifndef KERNELS_LABEL_NEAREST_SITE_CUH
#define KERNELS_LABEL_NEAREST_SITE_CUH

#include "kernels/common/common.cuh"

enum {
  SITE_BLOCK = 4,
  SITE_GROUP = 16,              /* pixels */
  SITE_PIECE = 32 * SITE_GROUP, /* pixels of a warp */
  SITE_NEAR = 32,               /* pixels: to look so far costs as much as to find sites first */
};

/* d of n pixels, and of others to the end of the last block, which must be greater than all of these. */
struct site_line {
  const uint4 *squares;
  int32_t n;

  __device__ uint32_t square (int32_t x) const
  {
    return ((const uint32_t *) squares)[x];
  }
};

struct near_site {
  int32_t at;
  uint32_t square; /* of the distance */
};

/* The squares of the distances that pixel x has by the sites of a block. */
__device__ __forceinline__ uint4
block_squares (const site_line &l, int32_t x, int32_t block)
{
  const uint4 d = l.squares[block];
  const int32_t a = x - SITE_BLOCK * block;
  return make_uint4 (d.x + (uint32_t) (a * a), d.y + (uint32_t) ((a - 1) * (a - 1)),
                     d.z + (uint32_t) ((a - 2) * (a - 2)), d.w + (uint32_t) ((a - 3) * (a - 3)));
}

__device__ __forceinline__ uint32_t
least_of_block (const uint4 &s)
{
  return min (min (s.x, s.y), min (s.z, s.w));
}

/* The block of the site of pixel x, which is one of the blocks from ... to. All lanes come with the same. */
__device__ static int32_t
find_site_block (const site_line &l, int32_t x, int32_t from, int32_t to)
{
  const uint32_t here = l.square (x);
  if (here == 0)
    return x / SITE_BLOCK;
  const int32_t reach = (int32_t) sqrtf ((float) here) + 1;
  const int32_t first = max (from, (max (x - reach, 0)) / SITE_BLOCK), last = min (to, (x + reach) / SITE_BLOCK);
  uint32_t least = UINT32_MAX;
  int32_t found = INT32_MAX;
  for (int32_t block = first + (int32_t) (threadIdx.x & 31); block <= last; block += 32) {
    const uint32_t square = least_of_block (block_squares (l, x, block));
    if (square < least) {
      least = square;
      found = block;
    }
  }
  return __reduce_min_sync (~0u, least == __reduce_min_sync (~0u, least) ? found : INT32_MAX);
}

/* Lane i gets the block of the site of the first pixel of group i, *end that of the last pixel of the piece that begins at `first`. */
__device__ static int32_t
find_site_blocks (const site_line &l, int32_t first, int32_t *end)
{
  int32_t own = find_site_block (l, first, 0, (l.n - 1) / SITE_BLOCK);
  *end = find_site_block (l, min (first + SITE_PIECE, l.n) - 1, own, (l.n - 1) / SITE_BLOCK);
  for (int half = 16; half > 0; half /= 2)
    for (int i = half; i < 32; i += 2 * half) {
      const int32_t from = __shfl_sync (~0u, own, i - half), after = __shfl_sync (~0u, own, (i + half) & 31);
      const int32_t x = first + i * SITE_GROUP, to = i + half < 32 ? after : *end;
      const int32_t found = x < l.n ? find_site_block (l, x, from, to) : *end;
      own = (int) (threadIdx.x & 31) == i ? found : own;
    }
  return own;
}

/* The first of the nearest sites of pixel x in blocks from ... to. */
__device__ __forceinline__ near_site
find_site (const site_line &l, int32_t x, int32_t from, int32_t to)
{
  uint32_t least = UINT32_MAX;
  int32_t found = from;
  for (int32_t block = from; block <= to; block++) {
    const uint32_t square = least_of_block (block_squares (l, x, block));
    if (square < least) {
      least = square;
      found = block;
    }
  }
  const uint4 s = block_squares (l, x, found);
  const int32_t i = s.x == least ? 0 : s.y == least ? 1 : s.z == least ? 2 : 3;
  return {SITE_BLOCK * found + i, least};
}

/* The same in the blocks that a site at most `reach` pixels away can be in. */
__device__ __forceinline__ near_site
find_near_site (const site_line &l, int32_t x, int32_t reach)
{
  return find_site (l, x, max (x - reach, 0) / SITE_BLOCK, min (x + reach, l.n - 1) / SITE_BLOCK);
}

#endif
