/* SPDX-License-Identifier: MIT
 *
 * skeleton_lengths: what the skeletons in a label image are made of. Pixels of an object are connected when they share a face, an edge or a corner,
 * and a step between them is as long as their centers are apart. A pixel with more than two neighbors is of a junction, pixels of junctions that are
 * connected are one junction, and a pixel with one neighbor or none is an end. Without its junctions a skeleton falls into branches. The length of a
 * branch is that of its steps and of those to adjacent junctions; a single pixel is not a branch.
 * - length: all branches.
 * - longest_path: the longest of the shortest paths from an end to any pixel; an object without ends starts at its first pixel. In a tree this is the
 *   longest path.
 */
#ifndef KERNELS_SKELETONS_SKELETON_LENGTHS_H
#define KERNELS_SKELETONS_SKELETON_LENGTHS_H

#include "kernels/skeletons/skeleton_parts.h"
#include "kernels/regions/regions.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct skeleton_lengths_args {
  bool volume;
} skeleton_lengths_args;

/* How long the steps of each kind are. */
void skeleton_step_sizes (const fv_call *call, double size[SKELETON_KINDS]);

/* Makes the table; column j of row i is (*v)[j * rows + i]. */
fv_status skeleton_make_table (const fv_call *call, int64_t rows, double **v, fv_error *error);

/* Makes the table and fills it in, from the objects of the call's image. */
fv_status skeleton_lengths_table (const fv_call *call, const regions *found, fv_error *error);

fv_status skeleton_lengths_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

/* Whether the table says in which slice objects are. */
static inline bool
skeleton_has_slices (const fv_call *call)
{
  return !((const skeleton_lengths_args *) call->args)->volume && array_planes (call->inputs[0]) > 1;
}

/* How many columns it has. */
static inline uint32_t
skeleton_columns (const fv_call *call)
{
  return 7 + (uint32_t) skeleton_has_slices (call);
}

/* Row i of n, of an object whose first run that is. */
INLINE void
skeleton_put_row (const skeleton_parts *p, const run *first, bool slices, int64_t i, int64_t n, double *v)
{
  v += i;
  if (slices) {
    *v = first->z + 1;
    v += n;
  }
  v[0] = first->label;
  v[n] = (double) p->branches;
  v[2 * n] = (double) p->junctions;
  v[3 * n] = (double) p->ends;
  v[4 * n] = p->length;
  v[5 * n] = p->longest_branch;
  v[6 * n] = p->longest_path;
}

#endif
