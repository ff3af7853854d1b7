/* SPDX-License-Identifier: MIT
 *
 * stack: images one behind the other, as the slices, frames or channels of one. NaN is copied.
 */
#ifndef KERNELS_IMAGE_STACK_H
#define KERNELS_IMAGE_STACK_H

#include "kernels/common/common.h"

enum { STACK_INPUTS = 12 };

typedef enum stack_axis { STACK_Z, STACK_T, STACK_C } stack_axis;

typedef struct stack_args {
  int32_t axis; /* stack_axis */
} stack_args;

#endif
