/* SPDX-License-Identifier: MIT
 *
 * The pixels of an object and how they are connected.
 */
#ifndef KERNELS_SKELETONS_SKELETON_GRAPH_H
#define KERNELS_SKELETONS_SKELETON_GRAPH_H

#include "kernels/regions/regions.h"

/* An object's pixels in their order, and the neighbors of each. */
typedef struct pixel_graph {
  int64_t n;
  int64_t *first;  /* [n + 1] */
  int32_t *to;     /* [first[n]] */
  uint8_t *kind;   /* [first[n]]: of the step there, which axes it goes along: 4 z + 2 y + x */
  int64_t *offset; /* of each run: its first pixel */
} pixel_graph;

/* How many steps the graph of an object has. */
int64_t graph_steps (const region *o, bool volume);

/* Fills in a graph whose arrays are large enough. */
void graph_make (const region *o, bool volume, pixel_graph *g);

static inline int64_t
neighbors_of (const pixel_graph *g, int64_t pixel)
{
  return g->first[pixel + 1] - g->first[pixel];
}

static inline bool
is_junction (const pixel_graph *g, int64_t pixel)
{
  return neighbors_of (g, pixel) > 2;
}

static inline bool
is_end (const pixel_graph *g, int64_t pixel)
{
  return neighbors_of (g, pixel) < 2;
}

#endif
