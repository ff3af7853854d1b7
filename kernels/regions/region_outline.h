/* SPDX-License-Identifier: MIT
 *
 * What the border of an object tells: Euler number, three perimeters, holes.
 */
#ifndef KERNELS_REGIONS_REGION_OUTLINE_H
#define KERNELS_REGIONS_REGION_OUTLINE_H

#include "kernels/regions/regions.h"

/* ---- What one corner adds, on either device ---- */

INLINE int
bits_set (unsigned v)
{
#ifdef __CUDA_ARCH__
  return __popc (v);
#else
  return __builtin_popcount (v);
#endif
}

/* What the vertex between four pixels adds, by which of them are the object's. */
enum { UP_LEFT = 1, LEFT = 2, UP = 4, HERE = 8 };

INLINE int
vertex_euler (unsigned p) /* 4 times it */
{
  int edges = !!(p & (UP_LEFT | LEFT)) + !!(p & (UP | HERE)) + !!(p & (UP_LEFT | UP)) + !!(p & (LEFT | HERE));
  return p ? 4 - 2 * edges + bits_set (p) : 0;
}

INLINE int
vertex_straight (unsigned p)
{
  return ((p & UP_LEFT) && !(p & UP)) + ((p & HERE) && !(p & UP));
}

INLINE int
vertex_diagonal (unsigned p)
{
  return ((p & HERE) && !(p & UP_LEFT)) + ((p & UP) && !(p & LEFT));
}

/* Crofton's perimeter of the sums of the last two. */
INLINE double
crofton_perimeter (int64_t straight, int64_t diagonal)
{
  return PI / 4 * ((double) straight + (double) diagonal / ROOT_2);
}

/* 8 times what a vertex adds to the Euler number, by its eight voxels: bit 0 is x, bit 1 is y, bit 2 is z of a voxel's
 * number. */
INLINE int
vertex_euler_volume (unsigned p)
{
  const unsigned half[3] = {0x55, 0x33, 0x0f}; /* voxels on the low side of each axis */
  int edges = 0, faces = 0;
  for (int a = 0; a < 3; a++)
    for (int side = 0; side < 2; side++) {
      unsigned of_edge = side ? ~half[a] : half[a];
      edges += (p & of_edge & 0xff) != 0;
      for (int b = a + 1; b < 3; b++)
        faces += (p & of_edge & half[b]) != 0, faces += (p & of_edge & ~half[b] & 0xff) != 0;
    }
  return (p & 0xff ? 8 : 0) - 4 * edges + 2 * faces - bits_set (p);
}

typedef struct border_counts {
  int64_t one, root, mean; /* pixels that count 1, sqrt 2 and the mean of the two */
} border_counts;

/* A border pixel with `beside` border pixels among its 4 neighbors and `across` on its diagonals. */
INLINE void
border_count (border_counts *n, int beside, int across, int64_t times)
{
  if ((beside == 2 || beside == 3) && across <= 2)
    n->one += times;
  else if ((beside == 0 && across == 2) || (beside == 1 && across == 3))
    n->root += times;
  else if (beside == 1 && (across == 1 || across == 2))
    n->mean += times;
}

INLINE double
border_length (const border_counts *n)
{
  return (double) n->one + (double) n->root * ROOT_2 + (double) n->mean * (1 + ROOT_2) / 2;
}

/* ---- What one object's runs tell, on the CPU ---- */

/* Objects minus holes, by 2x2 (2x2x2) patterns; the object is 8-connected (26-connected). In a plane also the Crofton
 * perimeter from four directions, in pixels. */
typedef struct region_patterns {
  int64_t euler;
  double crofton;
} region_patterns;
region_patterns region_patterns_plane (const region *o);
int64_t region_euler_volume (const region *o);

/* Length of the line through the centers of the object's 4-connected border pixels, in pixels (Benkrid and Crookes).
 * border: 3 * region_border_runs (widest box) runs to work in. */
double region_perimeter (const region *o, run *border);
static inline int64_t
region_border_runs (int64_t columns)
{
  return columns / 2 + 2;
}

/* Pixels of the object and of its holes, which are what the background outside the bounding box does not reach by steps
 * to the 8 (26) neighbors. link: n_runs items to work in. */
int64_t region_filled (const region *o, bool volume, int32_t *link);

/* ImageJ's perimeter: the traced outer outlines of the object's 8-connected parts, with corners cut. */
double region_traced_perimeter (const region *o, const fv_array *labels, double dy, double dx, int32_t *link);

#endif
