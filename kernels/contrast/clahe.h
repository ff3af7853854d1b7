/* SPDX-License-Identifier: MIT
 *
 * clahe: contrast-limited adaptive histogram equalization of each plane, or of a volume. Values become levels, round (16383 (v - low) / (high - low)),
 * and these bins. Tiles lie side by side from the first pixel on, filled up at the far ends by reflection about the last pixel. The map of a tile is
 * 16383 times the share of its pixels up to a bin, after bins were cut at `limit` and what was cut off was spread over all. A pixel gets the mean of
 * the maps around it, weighted by how near their tiles are, in the roundings of the reference; all that is stretched to the whole range.
 * NaN stays and is not counted; infinities are the lowest and the highest level. An image of one value becomes 0.
 * Reference: skimage.exposure.equalize_adapthist.
 */
#ifndef KERNELS_CONTRAST_CLAHE_H
#define KERNELS_CONTRAST_CLAHE_H

#include "kernels/contrast/full.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CLAHE_LEVELS = 16384, CLAHE_NONE = CLAHE_LEVELS, CLAHE_BINS = 4096 }; /* NONE: the level of NaN, at the end */

typedef struct clahe_args {
  fv_axes size; /* of a tile; not given: an eighth of the image */
  double limit;
  int32_t bins, output;
  bool volume;
} clahe_args;

/* Of a plane, or a volume. The bin of NaN is `bins`. */
typedef struct clahe_plan {
  int64_t shape[3], size[3], tiles[3];
  int64_t tile_pixels;
  int32_t bins, width, clip; /* width: levels of a bin; clip: pixels of one */
  int32_t layers;            /* of tiles around a pixel: 2 of a volume, or 1 */
} clahe_plan;

static inline int64_t
clahe_tiles (const clahe_plan *p)
{
  return p->tiles[0] * p->tiles[1] * p->tiles[2];
}

static inline int64_t
clahe_pixels (const clahe_plan *p)
{
  return p->shape[0] * p->shape[1] * p->shape[2];
}

/* The level of v, which is not NaN. low and width: halves of the lowest value and of the range, so that none is infinite. */
INLINE int32_t
clahe_level (double v, double low, double width)
{
  double part = (v * 0.5 - low) / width;
  part = part > 0 ? part : 0;
  part = part < 1 ? part : 1;
  part *= CLAHE_LEVELS - 1;
#ifdef __CUDA_ARCH__
  return __double2int_rn (part);
#else
  return (int32_t) ((part + 0x1.8p52) - 0x1.8p52); /* the nearest integer, in a way of which vectors are made */
#endif
}

/* The bin of a level: (level + 1/2) / width is far from integers. */
INLINE int32_t
clahe_bin (int32_t level, float width)
{
  return (int32_t) (((float) level + 0.5f) / width);
}

/* What a bin gets of what was cut off, `more` for each on the mean: who is then as near to the limit as that gets there. */
INLINE int64_t
clahe_given (int64_t count, int64_t clip, int64_t more)
{
  const int64_t now = count < clip - more ? count + more : count;
  return (now < clip - more ? now : clip) - count;
}

/* Where coordinate i lies along an axis: its weight between the maps of two tiles, of which the first is the smaller one. */
typedef struct clahe_position {
  int64_t tile[2];
  double weight[2];
} clahe_position;

INLINE clahe_position
clahe_position_at (int64_t i, int64_t size, int64_t tiles)
{
  const int64_t at = i + size / 2, block = at / size;
  clahe_position p = {{block > 0 ? block - 1 : 0, block < tiles ? block : tiles - 1}, {0, 0}};
  p.weight[1] = (double) (at - block * size) / (double) size;
  p.weight[0] = 1 - p.weight[1];
  return p;
}

clahe_plan clahe_plan_of (const clahe_args *a, const fv_grid *in);
fv_status clahe_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
