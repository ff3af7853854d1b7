/* SPDX-License-Identifier: MIT
 *
 * crop: out(p, y, x) = in(p, top + y, left + x). NaN is copied.
 */
#ifndef KERNELS_IMAGE_CROP_H
#define KERNELS_IMAGE_CROP_H

#include "kernels/common/common.h"

typedef struct crop_args {
  int32_t x, y, width, height; /* width, height 0: to the edge */
} crop_args;

#endif
