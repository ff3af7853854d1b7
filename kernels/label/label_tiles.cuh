/* SPDX-License-Identifier: MIT
 *
 * What all kernels of label know: where tiles, their rows and their runs are, and indices in the forest.
 */
#ifndef KERNELS_LABEL_LABEL_TILES_CUH
#define KERNELS_LABEL_LABEL_TILES_CUH

#include "kernels/common/common.cuh"
#include "kernels/label/label_args.h"

typedef unsigned long long bits64;

enum {
  LABEL_SIDE = 64,          /* of a tile */
  LABEL_TILE_THREADS = 128, /* a thread has half of a row */
  LABEL_THREADS = 256,      /* of the other kernels */
};

/* What all kernels need, by value. Tiles are counted along x, y, z. A word is 64 pixels of a row of a tile. */
struct label_tiles {
  uint32_t planes, rows, columns, across, down; /* across, down: tiles */
  uint32_t tiles, words;                        /* words: of all rows, in raster order */
  int row_shift;                                /* a tile has 2^row_shift rows of each of its planes */
  int lines, room;                              /* of a tile: rows, and room for runs */
  bool volume, equal, border, long_sizes;
  int neighbors; /* earlier rows with neighbors of a row's pixels: dz planes and dy rows away, see label_reach() */
  int8_t dz[4], dy[4], reach[4];
  int64_t row_step, plane_step; /* of indices in the forest */
  bits64 *on, *start;           /* [tiles][lines] foreground, and where runs start; start only with `equal` */
  uint16_t *before;             /* [tiles][lines] runs of the tile before the row */
  uint16_t *root;               /* [tiles][room] for each run: row * 64 + column of its root in the tile */
  bits64 *roots;                /* [words] roots of tiles; later of objects, and then of those that are kept */
  uint32_t *rank;               /* [words + 1] roots before */
  bits64 *state;                /* [1 + blocks of roots_kernel]: how many have begun, and their sums */
  void *sizes;                  /* pixels of the object, by index of the root, or NULL */
  uint32_t least, most;         /* sizes that are kept; most 0: no limit */
};

struct tile {
  uint32_t index, tx, x, y, z; /* x, y, z: of its first pixel */
};

__device__ static tile
tile_of (const label_tiles &s, uint32_t index)
{
  uint32_t line = index / s.across, tx = index - line * s.across, tz = line / s.down;
  return {index, tx, tx * LABEL_SIDE, (line - tz * s.down) << s.row_shift, tz << (6 - s.row_shift)};
}

/* Row and plane of a row of a tile. */
__device__ static uint32_t
row_of (const label_tiles &s, const tile &t, int r)
{
  return t.y + (uint32_t) (r & ((1 << s.row_shift) - 1));
}

__device__ static uint32_t
plane_of (const label_tiles &s, const tile &t, int r)
{
  return t.z + (uint32_t) (r >> s.row_shift);
}

__device__ static bool
row_inside (const label_tiles &s, const tile &t, int r)
{
  return row_of (s, t, r) < s.rows && plane_of (s, t, r) < s.planes;
}

/* The row of the same tile that is neighbor d of row r, or -1. */
__host__ __device__ static int
row_before (const label_tiles &s, int r, int d)
{
  int y = (r & ((1 << s.row_shift) - 1)) + s.dy[d], z = (r >> s.row_shift) + s.dz[d];
  return z < 0 || y < 0 || y >> s.row_shift ? -1 : z << s.row_shift | y;
}

/* The part of the forest that a tile is in: a plane, or all. */
template <typename K>
__device__ static K *
forest_of (const label_tiles &s, K *link, const tile &t)
{
  return s.volume ? link : link + t.z * s.plane_step;
}

/* Index in the forest of row * 64 + column of a tile. */
template <typename K>
__device__ static K
forest_index (const label_tiles &s, const tile &t, uint32_t position)
{
  int r = (int) (position / LABEL_SIDE);
  int64_t index = row_of (s, t, r) * s.row_step + t.x + position % LABEL_SIDE;
  return (K) (s.volume ? index + plane_of (s, t, r) * s.plane_step : index);
}

/* The bit of a root. */
struct mark {
  uint32_t word;
  int bit;
};

template <typename K>
__device__ static mark
mark_of (const label_tiles &s, const tile &t, K index)
{
  uint32_t z = t.z;
  if (s.volume && s.planes > 1) {
    z = (uint32_t) (index / (K) s.plane_step);
    index -= z * (K) s.plane_step;
  }
  uint32_t y = (uint32_t) (index / (K) s.row_step), x = (uint32_t) (index - y * (K) s.row_step);
  return {(z * s.rows + y) * s.across + x / LABEL_SIDE, (int) (x % LABEL_SIDE)};
}

__device__ static bits64
upto (int bit)
{
  return ~0ull >> (63 - bit);
}

/* Corners of pixels; or pixels alone. */
__device__ static bits64
widen (bits64 on, int reach)
{
  return reach ? on | on << 1 : on;
}

/* Where runs of two rows meet: one bit for each pair. As in label.c. */
__device__ static bits64
meetings (bits64 on_a, bits64 start_a, bits64 on_b, bits64 start_b, int reach)
{
  return widen (on_a, reach) & widen (on_b, reach) & (start_a | start_b);
}

/* Where the size of the object of a root is. */
__device__ static size_t
size_index (const label_tiles &s, mark m)
{
  return s.equal ? (size_t) m.word * 64 + m.bit : (size_t) m.word * 32 + m.bit / 2;
}

/* The n-th set bit. */
__device__ static int
find_bit (bits64 bits, int n)
{
  uint32_t word = (uint32_t) bits;
  int count = __popc (word), bit = 0;
  if (n >= count) {
    n -= count;
    word = (uint32_t) (bits >> 32);
    bit = 32;
  }
  for (int d = 16; d; d /= 2) {
    count = __popc (word & ((1u << d) - 1));
    if (n >= count) {
      n -= count;
      word >>= d;
      bit += d;
    }
  }
  return bit;
}

/* Sum of `value` over the lanes before, and over all. */
__device__ static uint32_t
warp_scan (uint32_t value, uint32_t *all)
{
  uint32_t lane = threadIdx.x % 32, sum = value;
  for (uint32_t d = 1; d < 32; d *= 2) {
    uint32_t other = __shfl_up_sync (~0u, sum, d);
    sum += lane >= d ? other : 0;
  }
  *all = __shfl_sync (~0u, sum, 31);
  return sum - value;
}

#endif
