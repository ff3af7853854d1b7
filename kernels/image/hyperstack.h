/* SPDX-License-Identifier: MIT
 *
 * hyperstack: all planes of the image in ImageJ's order, channels first, then slices, then frames, are counted anew as channels, slices and
 * frames of other numbers, of which `order` says which is counted first. The first plane stays the first. NaN is copied.
 */
#ifndef KERNELS_IMAGE_HYPERSTACK_H
#define KERNELS_IMAGE_HYPERSTACK_H

#include "kernels/common/common.h"

typedef enum hyperstack_order {
  HYPERSTACK_CZT,
  HYPERSTACK_CTZ,
  HYPERSTACK_ZCT,
  HYPERSTACK_ZTC,
  HYPERSTACK_TCZ,
  HYPERSTACK_TZC
} hyperstack_order;

typedef struct hyperstack_args {
  int32_t channels, slices, frames; /* 0: channels as before; slices or frames all that there are then */
  int32_t order;                    /* hyperstack_order */
} hyperstack_args;

#endif
