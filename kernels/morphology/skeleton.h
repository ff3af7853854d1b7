/* SPDX-License-Identifier: MIT
 *
 * skeleton: takes pixels off a mask until lines one pixel wide are left, of volumes lines one voxel wide. For each side in turn it finds the pixels
 * whose neighbor on that side is background, that do not end a line, and whose removal keeps the numbers of objects, holes and tunnels around them.
 * Then it removes these in raster order, each if its neighbors stay connected without it. This ends when no side loses a pixel. Outside is
 * background; connectivity is 8 or 26. method=imagej: as ImageJ 1.53t's Skeletonize, plane by plane. Tables of the 256 neighborhoods say which pixels
 * go in the first and in the second half of a round, until nothing goes. Then a second pair of tables removes what is left. Reference:
 * skimage.morphology.skeletonize (method="lee"). T. Lee, R. Kashyap, C. Chu, CVGIP 56 (1994) 462.
 */
#ifndef KERNELS_MORPHOLOGY_SKELETON_H
#define KERNELS_MORPHOLOGY_SKELETON_H

#include "kernels/common/bits.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The second part of ImageJ's algorithm is an internal call, not a choice. */
typedef enum skeleton_method { SKELETON_LEE, SKELETON_IMAGEJ, SKELETON_IMAGEJ_STUCK } skeleton_method;

typedef struct skeleton_args {
  bool volume;
  int32_t method; /* skeleton_method */
} skeleton_args;

enum { SKELETON_SIDES = 6, SKELETON_PLANE_SIDES = 4 };

/* Whether planes are one volume; a single one is not. */
static inline bool
skeleton_is_volume (const void *args, int64_t planes)
{
  return ((const skeleton_args *) args)->volume && planes > 1;
}

/* ---- Volumes ---- */

/* What a byte is: bit 0 says that a pixel is foreground, bit 1, on the GPU, that this side has to do with it. */
enum { SKELETON_NONE, SKELETON_KEPT, SKELETON_GONE, SKELETON_FOUND };

enum { SKELETON_MARGIN = 8 }; /* bytes of background before each row */

/* Bytes of pixels, with background around each plane and around all planes. */
typedef struct skeleton_field {
  uint8_t *bytes;
  int64_t planes, rows, columns;
  int64_t pitch, slice; /* bytes from one row, one plane to the next */
} skeleton_field;

static inline skeleton_field
skeleton_field_of (int64_t planes, int64_t rows, int64_t columns)
{
  int64_t pitch = (columns + 7) / 8 * 8 + SKELETON_MARGIN;
  skeleton_field f = {NULL, planes, rows, columns, pitch, pitch * (rows + 2)};
  return f;
}

static inline int64_t
skeleton_field_bytes (const skeleton_field *f)
{
  return (f->planes + 2) * f->slice + SKELETON_MARGIN;
}

INLINE uint8_t *
skeleton_row (const skeleton_field *f, int64_t plane, int64_t y)
{
  return f->bytes + (plane + 1) * f->slice + (y + 1) * f->pitch + SKELETON_MARGIN;
}

/* How far away the neighbor on side i is. */
INLINE int64_t
skeleton_side (const skeleton_field *f, int i)
{
  switch (i) {
  case 0: return -f->pitch;
  case 1: return f->pitch;
  case 2: return 1;
  case 3: return -1;
  case 4: return f->slice;
  default: return -f->slice;
  }
}

/* ---- The neighbors of a pixel ---- */

/* 27 bits: 9 for each plane, 3 for each row; a pixel is bit 13 of its own neighbors. */
#define SKELETON_CENTER 13
#define SKELETON_ALL 0x7ffffffu

INLINE uint32_t
skeleton_near (const skeleton_field *f, const uint8_t *pixel)
{
  uint32_t near = 0;
  for (int dz = -1; dz <= 1; dz++)
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++)
        near |= (uint32_t) (pixel[dz * f->slice + dy * f->pitch + dx] & 1) << (SKELETON_CENTER + 9 * dz + 3 * dy + dx);
  return near & ~(1u << SKELETON_CENTER);
}

INLINE int
skeleton_count (uint32_t bits)
{
#ifdef __CUDA_ARCH__
  return __popc (bits);
#else
  return __builtin_popcount (bits);
#endif
}

/* Whether neighbors are connected with each other without the pixel. */
INLINE bool
skeleton_connected (uint32_t near)
{
  uint32_t reached = near & -near, before = 0;
  while (reached != before) {
    before = reached;
    reached |= (reached << 1 & 0x6db6db6u) | (reached >> 1 & 0x36db6dbu);
    reached |= (reached << 3 & 0x7e3f1f8u) | (reached >> 3 & 0x0fc7e3fu);
    reached |= reached << 9 | reached >> 9;
    reached &= near;
  }
  return reached == near;
}

/* Whether the Euler characteristic stays when the pixel goes: corners - edges + faces - 1 of its cube that no neighbor shares. */
INLINE bool
skeleton_euler_stays (uint32_t near)
{
  const uint32_t free_bits = ~near & SKELETON_ALL;
  const uint32_t x = free_bits & free_bits >> 1, y = free_bits & free_bits >> 3, xy = x & x >> 3;
  const int corners = skeleton_count (xy & xy >> 9 & 0x361bu);
  const int edges =
    skeleton_count (xy & 0x3600u) + skeleton_count (x & x >> 9 & 0x3018u) + skeleton_count (y & y >> 9 & 0x2412u);
  return corners - edges + skeleton_count (free_bits & 0x415410u) == 1;
}

/* Whether a pixel that has a side to the background may go. */
INLINE bool
skeleton_may_go (uint32_t near)
{
  return skeleton_count (near) != 1 && skeleton_euler_stays (near) && skeleton_connected (near);
}

/* ---- Words of pixels of a plane ---- */

/* What is left of word *own when side i has been dealt with, see skeleton_side(); up and down: the words above and below. The neighbors
 * of a pixel in its plane are a ring. They hang together, and the Euler characteristic stays when the pixel goes, when the ring has
 * one gap, which the side lies in. Neighbors that go before the pixel lie at the ends of what is not the gap, so it always
 * goes, too: all are found and go at once. */
INLINE uint64_t
skeleton_word (const uint64_t *up, const uint64_t *own, const uint64_t *down, int i)
{
  const bits_near n = bits_near_of (up, own, down);
  const uint64_t side = i == 0 ? n.x3 : i == 1 ? n.x7 : i == 2 ? n.x1 : n.x5;
  const uint64_t gaps =
    bits_two_of (~n.x1 & (n.x2 | n.x3), ~n.x3 & (n.x4 | n.x5), ~n.x5 & (n.x6 | n.x7), ~n.x7 & (n.x8 | n.x1));
  const uint64_t a = n.x1 | n.x2 | n.x3, b = n.x4 | n.x5 | n.x6, c = n.x7 | n.x8;
  const uint64_t two = bits_two_of_three (n.x1, n.x2, n.x3) | bits_two_of_three (n.x4, n.x5, n.x6) | (n.x7 & n.x8)
                       | bits_two_of_three (a, b, c);
  return own[0] & ~(two & ~gaps & ~side);
}

/* ---- ImageJ's ---- */

enum { SKELETON_IMAGEJ_SIDES = 2 };

/* The neighborhoods in which a pixel goes: bit 0 is the neighbor above to the left, and on clockwise. */
INLINE uint64_t
skeleton_imagej_going (bool stuck, int half, int part)
{
  const uint64_t going[4][4] = {{0x10000100d000dcc0, 0x1101000000000000, 0x00000003800080cc, 0x000b008a000080ce},
                                {0xd1000100d4008480, 0x5101110100000000, 0x0001000100000084, 0x130300030000008b},
                                {0x0000000000000008, 0x0000000000000000, 0x0000000000000002, 0x0000000400000000},
                                {0x040140000d000000, 0x0000000000000000, 0x0100000004000000, 0x0000000000000000}};
  return going[2 * stuck + half][part];
}

/* What is left of word *own in a half of a round. */
INLINE uint64_t
skeleton_imagej_word (const uint64_t *up, const uint64_t *own, const uint64_t *down, bool stuck, int half)
{
  const bits_near n = bits_near_of (up, own, down);
  uint64_t gone = 0;
  for (int part = 0; part < 4; part++) {
    const uint64_t high = (part & 1 ? n.x6 : ~n.x6) & (part & 2 ? n.x5 : ~n.x5);
    for (uint64_t left = skeleton_imagej_going (stuck, half, part); left; left &= left - 1) {
      const uint64_t lowest = left & -left;
      const bool b0 = lowest & 0xaaaaaaaaaaaaaaaa, b1 = lowest & 0xcccccccccccccccc, b2 = lowest & 0xf0f0f0f0f0f0f0f0,
                 b3 = lowest & 0xff00ff00ff00ff00, b4 = lowest & 0xffff0000ffff0000, b5 = lowest & 0xffffffff00000000;
      gone |= high & (b0 ? n.x4 : ~n.x4) & (b1 ? n.x3 : ~n.x3) & (b2 ? n.x2 : ~n.x2) & (b3 ? n.x1 : ~n.x1)
              & (b4 ? n.x8 : ~n.x8) & (b5 ? n.x7 : ~n.x7);
    }
  }
  return own[0] & ~gone;
}

/* The second part, of what the first has made of the output. */
fv_status skeleton_take_stuck (const fv_call *call, fv_device_kind kind, fv_error *error);
fv_status skeleton_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
