/* SPDX-License-Identifier: MIT
 *
 * reslice: a stack cut the other way: out(y, z, x) = in(z, y, x), or out(x, z, y), planes counted from the end from the bottom and from the right, rows
 * with `flip`. Exact; NaN is copied. Pixel sizes go with their axes.
 */
#ifndef KERNELS_GEOMETRY_RESLICE_H
#define KERNELS_GEOMETRY_RESLICE_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum reslice_start { RESLICE_TOP, RESLICE_LEFT, RESLICE_BOTTOM, RESLICE_RIGHT } reslice_start;

typedef struct reslice_args {
  int32_t start;
  bool flip;
} reslice_args;

/* Planes are what was columns, not rows. */
INLINE bool
reslice_upright (const reslice_args *a)
{
  return a->start == RESLICE_LEFT || a->start == RESLICE_RIGHT;
}

/* The row or column of the input that plane p of n shows. */
INLINE int64_t
reslice_cut (const reslice_args *a, int64_t p, int64_t n)
{
  return a->start == RESLICE_BOTTOM || a->start == RESLICE_RIGHT ? n - 1 - p : p;
}

/* The plane of the input that row y of n shows. */
INLINE int64_t
reslice_depth (const reslice_args *a, int64_t y, int64_t n)
{
  return a->flip ? n - 1 - y : y;
}

fv_status reslice_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
