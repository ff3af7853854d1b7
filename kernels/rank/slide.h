/* SPDX-License-Identifier: MIT
 *
 * slide: the element of one rank among many, for all pixels of a tile: a histogram slides over the tile to and fro, row by row (Huang, Yang,
 * Tang 1979). It counts indices among the sorted values of the tile instead of values, so that all types are alike, no bin is empty, and the
 * result is never far from the one before.
 */
#ifndef KERNELS_RANK_SLIDE_H
#define KERNELS_RANK_SLIDE_H

#include "kernels/rank/neighborhood.h"
#include "kernels/rank/network.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Offsets in a tile, as neighborhood_offset() gives them. */
typedef struct slide_list {
  int64_t n, *at;
} slide_list;

/* All of a footprint, and its pixels that have no neighbor in it to the left, right, top and bottom. */
typedef struct slide_footprint {
  slide_list all, left, right, top, bottom;
} slide_footprint;

/* Bytes of memory for slide_tile(), and for slide_footprint_make() while it runs. The tiles have room behind their rows. */
int64_t slide_bytes (const neighborhood *b);

/* offsets: of 5 times as many numbers as the footprint has pixels. */
void slide_footprint_make (slide_footprint *f, const neighborhood *b, const neighborhood_run *runs, int64_t n_runs,
                           int64_t *offsets, void *memory);

typedef struct slide {
  const neighborhood *b;
  const slide_footprint *footprint;
  const network_type *type;
  int64_t rank;
  bool has_nan;
} slide;

/* keys: those of a tile with its surroundings; result: rows of b->width keys. */
void slide_tile (const slide *s, const neighborhood_tile *t, const void *keys, void *result, void *memory, progress *p);

#ifdef __cplusplus
}
#endif

#endif
