/* SPDX-License-Identifier: MIT
 *
 * ImageJ's outline of a part of an object: a walk along the edges of its pixels, on either device.
 */
#ifndef KERNELS_REGIONS_OUTLINE_WALK_H
#define KERNELS_REGIONS_OUTLINE_WALK_H

#include "kernels/regions/regions.h"

typedef struct outline {
  int64_t across, down, corners; /* steps along x, steps along y, corners that are cut */
} outline;

/* Follows the pixel edges clockwise from the upper right corner of the part's first run, going down first, with the
 * part at the right hand and turning left where pixels touch at a corner. A vertex is a corner to cut when the side
 * before it is longer than 1 or the vertex before it was none. */
typedef struct outline_walk {
  int32_t x, y;
  int direction; /* down, left, up, right */
  bool corner;
  int64_t side;
} outline_walk;

INLINE outline_walk
outline_start (const run *part)
{
  outline_walk w = {part->x1, part->y, 0, false, 0};
  return w;
}

INLINE bool
outline_closed (const outline_walk *w, const run *part)
{
  return w->x == part->x1 && w->y == part->y;
}

/* Goes n steps straight on. */
INLINE void
outline_go (outline_walk *w, int32_t n, outline *sum)
{
  int32_t ahead = w->direction == 0 || w->direction == 3 ? n : -n;
  if (w->direction & 1)
    w->x += ahead, sum->across += n;
  else
    w->y += ahead, sum->down += n;
  w->side += n;
}

/* Turns, if at all, by whether the pixels ahead at the left and at the right hand are the part's. */
INLINE void
outline_turn (outline_walk *w, bool left, bool right, outline *sum)
{
  if (!left && right)
    return;
  w->corner = w->side > 1 || !w->corner;
  sum->corners += w->corner;
  w->side = 0;
  w->direction = (w->direction + (left ? 3 : 1)) & 3;
}

INLINE double
outline_length (const outline *sum, double dy, double dx)
{
  double saved = dx + dy - sqrt (dx * dx + dy * dy);
  return (double) sum->across * dx + (double) sum->down * dy - (double) sum->corners * saved;
}

#endif
