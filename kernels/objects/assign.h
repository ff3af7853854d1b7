/* SPDX-License-Identifier: MIT
 *
 * assign: the parent of an object is that object of a second label image in which most of its pixels lie, of equal ones that of the smallest
 * label; none when fewer than `share` of its pixels do. out(p) = label of the parent of the object at p, on all of its pixels; 0: none.
 * The table says it of each child, or of each parent how many children it has.
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

/* The table, and to[i], the label that the pixels of child i get, in host memory. */
fv_status assign_find (const fv_call *call, const regions *children, const regions *parents, int32_t **to,
                       fv_error *error);

fv_status assign_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
