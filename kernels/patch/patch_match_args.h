/* SPDX-License-Identifier: MIT
 *
 * The arguments of patch_match, and what both devices derive from them.
 */
#ifndef KERNELS_PATCH_PATCH_MATCH_ARGS_H
#define KERNELS_PATCH_PATCH_MATCH_ARGS_H

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

#endif
