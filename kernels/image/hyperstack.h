/* SPDX-License-Identifier: MIT
 *
 * hyperstack: takes all planes of the image in ImageJ's order: channels first, then slices, then frames. It divides them into other numbers of
 * channels, slices and frames; `order` says which comes first. The first plane stays the first. NaN is copied.
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
  int32_t channels, slices, frames; /* 0: channels as before; all slices or frames that remain */
  int32_t order;                    /* hyperstack_order */
} hyperstack_args;

#endif
