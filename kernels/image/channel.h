/* SPDX-License-Identifier: MIT
 *
 * channel: out(z, y, x) = in(c, z, y, x) for one channel c.
 */
#ifndef KERNELS_IMAGE_CHANNEL_H
#define KERNELS_IMAGE_CHANNEL_H

#include "kernels/common/common.h"

typedef struct channel_args {
  int32_t index; /* from 0 */
  char name[64]; /* when given, it wins over index */
} channel_args;

#endif
