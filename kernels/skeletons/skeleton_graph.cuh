/* SPDX-License-Identifier: MIT
 *
 * The pixels of objects and how they are connected, on the GPU.
 */
#ifndef KERNELS_SKELETONS_SKELETON_GRAPH_CUH
#define KERNELS_SKELETONS_SKELETON_GRAPH_CUH

#include "kernels/regions/region_team.cuh"

enum { GRAPH_PIXELS = 1 << 25 /* at most, so that steps can be numbered in 32 bits */ };

/* Pixels are numbered run by run, so that those of an object follow each other. */
typedef struct skeleton_graph {
  region_set s;
  const int32_t *offset; /* [s.n_runs + 1]: first pixel of each run */
  const int32_t *first;  /* [s.pixels + 1]: first step of each pixel */
  const int32_t *to;     /* of each step */
  const uint8_t *kind;   /* the same: along which axes */

  __device__ int32_t first_pixel (int64_t object) const
  {
    return offset[s.first[object]];
  }

  __device__ int32_t pixel_end (int64_t object) const
  {
    return offset[region_end (s, object)];
  }

  __device__ int32_t neighbors (int32_t pixel) const
  {
    return first[pixel + 1] - first[pixel];
  }

  __device__ bool is_junction (int32_t pixel) const
  {
    return neighbors (pixel) > 2;
  }

  __device__ bool is_end (int32_t pixel) const
  {
    return neighbors (pixel) < 2;
  }
} skeleton_graph;

/* Of objects that have GRAPH_PIXELS pixels at most, and one at least. Reads back 4 bytes. */
fv_status skeleton_graph_make (const fv_call *call, const region_set *s, bool volume, skeleton_graph *g,
                               fv_error *error);

#endif
