/* SPDX-License-Identifier: MIT
 *
 * assign: the parent of an object is the object of a second label image in which most of its pixels lie. Of equal ones the smallest label counts. It
 * has none when fewer than `share` of its pixels lie there. out(p) = label of the parent of the object at p, on all of its pixels; 0: none. The table
 * says it of each child, or of each parent how many children it has.
 */
#ifndef KERNELS_OBJECTS_ASSIGN_H
#define KERNELS_OBJECTS_ASSIGN_H

#include "kernels/regions/regions.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ASSIGN_CHILDREN, ASSIGN_PARENTS }; /* inputs, and whose rows the table has */

typedef struct assign_args {
  int32_t rows;
  double share;
  bool volume;
} assign_args;

/* Makes the table that the call asks for; column j of row i is (*v)[j * rows + i]. */
fv_status assign_make_table (const fv_call *call, int64_t rows, double **v, fv_error *error);

fv_status assign_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

/* Whether the table says in which slice objects are. */
static inline bool
assign_has_slices (const fv_call *call)
{
  return !((const assign_args *) call->args)->volume && array_planes (call->inputs[ASSIGN_CHILDREN]) > 1;
}

/* What a row says of an object: its parent, or how many children it has; pixels that it shares with them, and all that it has. */
typedef struct assign_row {
  int32_t z, label;
  int64_t relation, overlap, pixels;
} assign_row;

/* Row i of n. */
INLINE void
assign_put_row (const assign_row *r, bool slices, int64_t i, int64_t n, double *v)
{
  v += i;
  if (slices) {
    *v = r->z + 1;
    v += n;
  }
  v[0] = r->label;
  v[n] = (double) r->relation;
  v[2 * n] = (double) r->overlap;
  v[3 * n] = (double) r->overlap / (double) r->pixels;
}

#endif
