/* SPDX-License-Identifier: MIT
 *
 * How many pixels objects of one label image share with those of another, on the CPU.
 */
#ifndef KERNELS_OBJECTS_OVERLAPS_H
#define KERNELS_OBJECTS_OVERLAPS_H

#include "kernels/objects/object_rows.h"

typedef struct overlaps {
  const regions *others;
  object_rows rows; /* of the others */
  int64_t *pixels;  /* of each thread, with each of the others, and 0 between two objects */
  int32_t *met;     /* of each thread: the others of those that are not 0 */
} overlaps;

/* What one object shares: n of the others, met[i], and pixels[met[i]], which the caller sets to 0 again. */
typedef struct overlaps_met {
  int64_t n, *pixels;
  int32_t *met;
} overlaps_met;

/* The others are the objects of `labels`. Memory is the call's. */
fv_status overlaps_make (const fv_call *call, const fv_array *labels, const regions *others, overlaps *to,
                         fv_error *error);

/* In memory of the calling thread, of which there is one. */
overlaps_met overlaps_of (const overlaps *o, const region *object);

#endif
