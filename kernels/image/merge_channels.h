/* SPDX-License-Identifier: MIT
 *
 * merge_channels: the channels of all images, one behind the other, as one image. NaN is copied.
 */
#ifndef KERNELS_IMAGE_MERGE_CHANNELS_H
#define KERNELS_IMAGE_MERGE_CHANNELS_H

#include "kernels/common/common.h"

enum { MERGE_INPUTS = 7 };

typedef struct merge_channels_args {
  bool rgb;
} merge_channels_args;

#endif
