/* SPDX-License-Identifier: MIT
 *
 * The longest of the shortest ways in each object, on the GPU.
 */
#ifndef KERNELS_SKELETONS_SKELETON_WAYS_CUH
#define KERNELS_SKELETONS_SKELETON_WAYS_CUH

#include "kernels/skeletons/skeleton_graph.cuh"
#include "kernels/skeletons/skeleton_parts.h"

/* Fills in parts[i].longest_path, from what is known of their ends. *large: nothing is done, as that would take too much memory, or an object is so
 * large that the host is faster. Reads back 24 bytes. */
fv_status skeleton_ways_find (const fv_call *call, const skeleton_graph *g, const double size[SKELETON_KINDS],
                              skeleton_parts *parts, bool *large, fv_error *error);

#endif
