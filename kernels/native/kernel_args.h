/* SPDX-License-Identifier: MIT
 *
 * The arguments of kernel, and what a compiled kernel is given.
 */
#ifndef KERNELS_NATIVE_KERNEL_ARGS_H
#define KERNELS_NATIVE_KERNEL_ARGS_H

#include "kernels/common/common.h"

/* Types of images that C has, too; the host widens f16. */
#define KERNEL_TYPES (FV_ALL_TYPES & ~FV_F16)

enum { KERNEL_IMAGES = 8, KERNEL_RESULTS = 4, KERNEL_NUMBERS = 16, KERNEL_PARAMS = KERNEL_IMAGES + KERNEL_NUMBERS };

typedef struct kernel_args {
  char in_params[512], out_params[256], operation[8192], preamble[8192], size[64];
  double p, q, r, s;
  bool check;
  double time_limit; /* s; 0: none */
} kernel_args;

/* What a compiled kernel is given. These members are compiled here and are text before every kernel (kernels/native/prelude.c). */
#define KERNEL_ARRAY_MEMBERS                                                                                           \
  void *data;                                                                                                          \
  int64_t shape[3], stride[3]; /* in elements; stride 0 along an axis that is broadcast */

/* `arrays` has the inputs, and the outputs from KERNEL_IMAGES on. `fault` has FAULT_VALUES numbers on the device, which are 0 at first. A GPU
 * reads `stop` in memory of the host; when it is not 0 every thread ends. */
#define KERNEL_TASK_MEMBERS(ARRAY, ARRAYS, NUMBERS)                                                                    \
  ARRAY arrays[ARRAYS];                                                                                                \
  double numbers[NUMBERS];                                                                                             \
  int64_t shape[3], *fault;                                                                                            \
  const volatile int *stop;

typedef struct kernel_array {
  KERNEL_ARRAY_MEMBERS
} kernel_array;

/* Of the first index found outside, when that is looked for. */
enum { FAULT_FOUND, FAULT_ARRAY, FAULT_AXIS /* -1: of all elements */, FAULT_INDEX, FAULT_I, FAULT_VALUES };

typedef struct kernel_task {
  KERNEL_TASK_MEMBERS (kernel_array, KERNEL_IMAGES + KERNEL_RESULTS, KERNEL_NUMBERS)
} kernel_task;

#endif
