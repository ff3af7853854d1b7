/* SPDX-License-Identifier: MIT
 *
 * Which planes of a call register compares, and how much of them it sees.
 */
#ifndef KERNELS_GEOMETRY_REGISTER_PLAN_H
#define KERNELS_GEOMETRY_REGISTER_PLAN_H

#include "kernels/geometry/register_args.h"

/* What is seen of the inputs. */
typedef struct register_plan {
  int64_t count;                        /* frames or slices */
  int64_t step;                         /* planes from one to the next */
  int64_t depth;                        /* planes that are added up */
  int64_t start[2], size[2], length[2]; /* rows, columns: of a plane, and of a transform */
} register_plan;

/* Planes that are added up, from `plane` on. */
typedef struct register_view {
  const fv_array *array;
  int64_t plane, depth;
} register_view;

#ifdef __cplusplus
extern "C" {
#endif

/* Of a call; checked before. */
register_plan register_plan_of (const register_args *args, const fv_grid *in);
/* The two that pair k, from 0 on, is about; the shift that it finds is that of number register_first() + k. */
void register_pair (const fv_call *call, const register_plan *plan, int64_t k, register_view pair[2]);
int64_t register_first (const fv_call *call);

#ifdef __cplusplus
}
#endif

#endif
