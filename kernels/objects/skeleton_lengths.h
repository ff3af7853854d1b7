/* SPDX-License-Identifier: MIT
 *
 * skeleton_lengths: what the skeletons in a label image are made of. Pixels of an object are connected when they share a face, an edge or a corner,
 * and a step between them is as long as their centers are apart. A pixel with more than two neighbors is of a junction, pixels of
 * junctions that are connected are one junction, and a pixel with one neighbor or none is an end. Taken without its junctions a
 * skeleton falls into branches; a branch is as long as its steps and those to the junctions beside it, and a single pixel is none.
 * length: all branches. longest_path: the longest of the shortest ways from an end, of an object without ends from its first pixel, to any of its
 * pixels; of a tree that is its longest way.
 */
#ifndef KERNELS_OBJECTS_SKELETON_LENGTHS_H
#define KERNELS_OBJECTS_SKELETON_LENGTHS_H

#include "kernels/regions/regions.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct skeleton_lengths_args {
  bool volume;
} skeleton_lengths_args;

/* The table, from the objects of the call's image. */
fv_status skeleton_lengths_table (const fv_call *call, const regions *found, fv_error *error);

fv_status skeleton_lengths_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
