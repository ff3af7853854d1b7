/* SPDX-License-Identifier: MIT
 *
 * substack: out(t, c, z) = in(frames[t], channels[c], slices[z]), plane by plane. NaN is copied.
 */
#ifndef KERNELS_IMAGE_SUBSTACK_H
#define KERNELS_IMAGE_SUBSTACK_H

#include "kernels/common/common.h"

typedef struct substack_args {
  char slices[256], channels[256], frames[256]; /* lists such as "1,3,5-9,20-10-2", counted from 1; "": all */
} substack_args;

#endif
