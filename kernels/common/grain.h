/* SPDX-License-Identifier: MIT
 *
 * The grain of operations that take all channels and slices of a frame, with any arguments.
 */
#ifndef KERNELS_COMMON_GRAIN_H
#define KERNELS_COMMON_GRAIN_H

#include "kernels/common/common.h"

static inline fv_grain
grain_frame (const fv_op *op, const void *args)
{
  (void) op, (void) args;
  return FV_FRAME;
}

#endif
