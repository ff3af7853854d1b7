/* SPDX-License-Identifier: MIT
 *
 * The arguments of label, and what both devices derive from them.
 */
#ifndef KERNELS_LABEL_LABEL_ARGS_H
#define KERNELS_LABEL_LABEL_ARGS_H

#include "kernels/common/common.h"

typedef enum label_connectivity { LABEL_AUTO, LABEL_4, LABEL_8, LABEL_6, LABEL_18, LABEL_26 } label_connectivity;
typedef enum label_values { LABEL_NONZERO, LABEL_EQUAL } label_values;

typedef struct label_args {
  int32_t connectivity;       /* label_connectivity */
  int32_t values;             /* label_values */
  int32_t min_size, max_size; /* pixels, both allowed; max_size 0: no limit */
  bool exclude_border;
  bool volume;
  int32_t most_objects; /* last, and no parameter: 0, which is as many as labels can number; tests pose less */
} label_args;

/* Whether the connectivity is one of planes or, as asked, of volumes. */
static inline fv_status
label_check_connectivity (int32_t connectivity, bool volume, fv_error *error)
{
  bool flat = connectivity == LABEL_4 || connectivity == LABEL_8;
  if (connectivity != LABEL_AUTO && flat && volume)
    return fail (error, FV_BAD_ARGUMENT, "connectivity",
                 "Connectivity 4 and 8 are for planes; with volume=yes use 6, 18 or 26.");
  if (connectivity != LABEL_AUTO && !flat && !volume)
    return fail (error, FV_BAD_ARGUMENT, "connectivity",
                 "Connectivity 6, 18 and 26 are for volumes: use 4 or 8, or set volume=yes.");
  return FV_OK;
}

static inline int64_t
label_most (const label_args *a)
{
  return a->most_objects > 0 ? a->most_objects : INT32_MAX;
}

/* The same on every device. */
static inline fv_status
label_too_many (const label_args *a, fv_error *error)
{
  return fail (
    error, FV_UNSUPPORTED, "image",
    "More than %lld objects, or runs of pixels that could be objects, which is as many as labels can number: smooth "
    "the image or remove its noise first.",
    (long long) label_most (a));
}

/* Reach of the neighbors of a pixel along the row that is dz planes and dy rows away: 0 the same column, 1 also one column to the left and right,
 * -1 none. Neighbors differ along 1, 2 or 3 axes at most. */
static inline int
label_reach (const label_args *a, int dz, int dy)
{
  static const int axes[] = {0, 1, 2, 1, 2, 3}; /* by label_connectivity */
  int most = a->connectivity == LABEL_AUTO ? (a->volume ? 3 : 2) : axes[a->connectivity];
  int spare = most - (dz != 0) - (dy != 0);
  return dz && !a->volume ? -1 : spare > 0 ? 1 : spare < 0 ? -1 : 0;
}

#endif
