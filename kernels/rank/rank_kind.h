/* SPDX-License-Identifier: MIT
 *
 * Which of the sorted pixels a filter takes.
 */
#ifndef KERNELS_RANK_RANK_KIND_H
#define KERNELS_RANK_RANK_KIND_H

#include "kernels/rank/neighborhood.h"

typedef enum rank_kind { RANK_MEDIAN, RANK_MINIMUM, RANK_MAXIMUM, RANK_PERCENTILE } rank_kind;

#ifdef __cplusplus
extern "C" {
#endif

/* The rank among n pixels, from 0. */
int64_t rank_of (const fv_op *op, const neighborhood_args *a, int64_t n);

#ifdef __cplusplus
}
#endif

#endif
