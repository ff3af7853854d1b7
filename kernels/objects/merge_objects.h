/* SPDX-License-Identifier: MIT
 *
 * merge_objects: objects of a label image that touch become one where their border is below `limit`. A border is all pairs of pixels, one of each
 * object, that share a face, an edge or a corner; its mean is that of all (u + v) / 2, its contrast that of all |u - v|, u and v being the
 * intensities of a pair. Pairs with NaN or an infinity do not count. All borders are measured before anything is joined; what
 * is joined by several borders is one object, with the smallest of their labels.
 */
#ifndef KERNELS_OBJECTS_MERGE_OBJECTS_H
#define KERNELS_OBJECTS_MERGE_OBJECTS_H

#include "kernels/measure/pixel_sums.h"
#include "kernels/regions/regions.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MERGE_LABELS, MERGE_INTENSITY }; /* inputs */
typedef enum merge_by { MERGE_BY_MEAN, MERGE_BY_CONTRAST } merge_by;

typedef struct merge_objects_args {
  int32_t by; /* merge_by */
  double limit;
  bool volume;
} merge_objects_args;

/* Two pixels of a border: which objects they are of, the smaller number first, and where they are in the intensity image. */
typedef struct border_pair {
  int32_t objects[2];
  int64_t offsets[2];
} border_pair;

/* Gives the intensities of n pairs, two each, all in host memory. */
typedef fv_status merge_fetch (const fv_call *call, const border_pair *pairs, int64_t n, double *values,
                               fv_error *error);

/* The table of borders, and to[i], the label that the pixels of object i get, in host memory. */
fv_status merge_objects_find (const fv_call *call, const regions *found, merge_fetch *fetch, int32_t **to,
                              fv_error *error);

fv_status merge_objects_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
