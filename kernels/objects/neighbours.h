/* SPDX-License-Identifier: MIT
 *
 * neighbours: for each object of a label image how many others touch it, corners included; how many touch it or are not farther than `distance`;
 * and the nearest one, by edges and by centroids, of equally near ones that of the smallest label. The distance of two objects by edges is
 * the least between centers of their pixels, by centroids that of the means of these. In pixels, or in the image's unit.
 */
#ifndef KERNELS_OBJECTS_NEIGHBOURS_H
#define KERNELS_OBJECTS_NEIGHBOURS_H

#include "kernels/regions/regions.h"

#ifdef __cplusplus
extern "C" {
#endif

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
typedef struct neighbour_counts {
  int64_t touching, near;
  nearest_object nearest;
} neighbour_counts;

/* Of an object, in the order of regions. */
typedef struct neighbour_object {
  int32_t z, label;
  double centroid[3]; /* in units of the distance */
  neighbour_counts by_edge;
} neighbour_object;

/* The squared distance within which others are near; -1: only those that touch. */
double neighbours_limit (const fv_call *call);

/* Finds what is nearest by centroids, and makes the table. In memory of the host, whatever the device. */
fv_status neighbours_table (const fv_call *call, const neighbour_object *objects, int64_t n, fv_error *error);

/* All that, from the objects of the call's image. */
fv_status neighbours_measure (const fv_call *call, const regions *found, fv_error *error);

fv_status neighbours_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
