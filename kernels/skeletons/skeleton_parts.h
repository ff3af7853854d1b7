/* SPDX-License-Identifier: MIT
 *
 * What a skeleton is made of: kinds of steps, and numbers and lengths of its parts.
 */
#ifndef KERNELS_SKELETONS_SKELETON_PARTS_H
#define KERNELS_SKELETONS_SKELETON_PARTS_H

#include "kernels/common/common.h"

enum { SKELETON_KINDS = 8 }; /* of steps, by the axes that they go along: 4 z + 2 y + x */

/* Of an object. */
typedef struct skeleton_parts {
  int64_t branches, junctions, ends;
  double length, longest_branch, longest_path;
} skeleton_parts;

#endif
