/* SPDX-License-Identifier: MIT
 *
 * neighbours: for each object of a label image, how many others touch it, corners included; how many are within `distance`; and the nearest one, by
 * edges and by centroids. Of equally near ones the smallest label counts. The distance of two objects by edges is the least between centers of their
 * pixels, by centroids that of the means of these. In pixels, or in the image's unit.
 */
#ifndef KERNELS_OBJECTS_NEIGHBOURS_H
#define KERNELS_OBJECTS_NEIGHBOURS_H

#include "kernels/objects/neighbours_args.h"
#include "kernels/regions/regions.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The squared distance within which others are near; -1: only those that touch. */
double neighbours_limit (const fv_call *call);

/* Finds what is nearest by centroids, and makes the table. In host memory on any device. */
fv_status neighbours_table (const fv_call *call, const neighbor_object *objects, int64_t n, fv_error *error);

/* All that, from the objects of the call's image. */
fv_status neighbours_measure (const fv_call *call, const regions *found, fv_error *error);

fv_status neighbours_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
