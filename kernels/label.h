/* SPDX-License-Identifier: MIT
 *
 * label: out(p) = number of the connected component of foreground that holds p, 0 in the background. Components are
 * numbered 1 ... n by their first pixels in the order planes, rows, columns, after unwanted ones are dropped.
 */
#ifndef KERNELS_LABEL_H
#define KERNELS_LABEL_H

#include "common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum label_connectivity { LABEL_AUTO, LABEL_4, LABEL_8, LABEL_6, LABEL_18, LABEL_26 } label_connectivity;
typedef enum label_values { LABEL_NONZERO, LABEL_EQUAL } label_values;

typedef struct label_args {
  int32_t connectivity;       /* label_connectivity */
  int32_t values;             /* label_values */
  int32_t min_size, max_size; /* pixels, both allowed; max_size 0: no limit */
  bool exclude_border;
  bool volume;
} label_args;

/* How far along the row the neighbours of a pixel lie in the row that is dz planes and dy rows away: 0 straight across,
 * 1 also one column to the left and right, -1 none. Neighbours differ along 1, 2 or 3 axes at most. */
static inline int
label_reach (const label_args *a, int dz, int dy)
{
  static const int axes[] = {0, 1, 2, 1, 2, 3}; /* by label_connectivity */
  int most = a->connectivity == LABEL_AUTO ? (a->volume ? 3 : 2) : axes[a->connectivity];
  int spare = most - (dz != 0) - (dy != 0);
  return dz && !a->volume ? -1 : spare > 0 ? 1 : spare < 0 ? -1 : 0;
}

fv_status label_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
