/* SPDX-License-Identifier: MIT
 *
 * turn: flips and quarter turns: out(p, y, x) = in(p, v, u). Here (v, u) is (y, x), or (x, y) when rows become columns, counted from the end along an
 * axis that is reversed. Exact; NaN is copied.
 */
#ifndef KERNELS_GEOMETRY_TURN_H
#define KERNELS_GEOMETRY_TURN_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct turn_args {
  int32_t how; /* of the choices */
} turn_args;

/* Of the input. */
typedef struct turn_ways {
  bool swapped, up, left; /* rows become columns; rows, columns are reversed */
} turn_ways;

turn_ways turn_ways_of (const turn_args *args);
fv_status turn_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
