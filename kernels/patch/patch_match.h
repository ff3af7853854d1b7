/* SPDX-License-Identifier: MIT
 *
 * patch_match: for each pixel p of A the pixel q of B whose patch differs least, D(p, q) = sum (A_c(p + d) - B_c(q + d))^2 over
 * channels c and |d| <= radius along both axes, with the edge pixels going on outside both images; of equals the first q, row by
 * row. Exact: every q is tried. Between 8-bit images D is a whole number; else it is double, which is exact for 16 bits, and
 * added up in the order channels, columns, rows. A patch of A without a finite D has no match: x = y = -1, D = NaN.
 * Reference: C. Barnes et al., PatchMatch, ACM Transactions on Graphics 28 (2009), who approximate what is exact here.
 */
#ifndef KERNELS_PATCH_PATCH_MATCH_H
#define KERNELS_PATCH_PATCH_MATCH_H

#include "kernels/common/common.h"

enum { PATCH_CHANNELS = 4 }; /* at most */

typedef struct patch_match_args {
  int32_t radius;
} patch_match_args;

static inline bool
patch_match_bytes (const fv_grid *a, const fv_grid *b)
{
  return a->type == FV_U8 && b->type == FV_U8;
}

/* The plane of B that belongs to a plane of A: a single plane belongs to all. */
static inline int64_t
patch_match_plane (const fv_grid *b, int64_t z)
{
  return grid_depth (b) > 1 ? z : 0;
}

#ifdef __cplusplus
extern "C" {
#endif

fv_status patch_match_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
