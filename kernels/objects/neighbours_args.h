/* SPDX-License-Identifier: MIT
 *
 * The arguments of neighbours, and what it finds of an object.
 */
#ifndef KERNELS_OBJECTS_NEIGHBOURS_ARGS_H
#define KERNELS_OBJECTS_NEIGHBOURS_ARGS_H

#include "kernels/common/common.h"

typedef struct neighbours_args {
  double distance;
  int32_t units; /* distance_units */
  bool volume;
} neighbours_args;

/* Another object and its squared distance. */
typedef struct nearest_object {
  double squared;
  int32_t object; /* -1: none */
} nearest_object;

/* What an object has around it by edges. */
typedef struct neighbor_counts {
  int64_t touching, near;
  nearest_object nearest;
} neighbor_counts;

/* Of an object, in the order of regions. */
typedef struct neighbor_object {
  int32_t z, label;
  double centroid[3]; /* in units of the distance */
  neighbor_counts by_edge;
} neighbor_object;

#endif
