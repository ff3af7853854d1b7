/* SPDX-License-Identifier: MIT
 *
 * The arguments of kernel, and what a compiled kernel is given.
 */
#ifndef KERNELS_NATIVE_KERNEL_ARGS_H
#define KERNELS_NATIVE_KERNEL_ARGS_H

#include "kernels/common/common.h"

enum { KERNEL_IMAGES = 8, KERNEL_RESULTS = 4, KERNEL_NUMBERS = 16, KERNEL_PARAMS = KERNEL_IMAGES + KERNEL_NUMBERS };

typedef struct kernel_args {
  char in_params[512], out_params[256], operation[8192], preamble[8192], size[64];
  double p, q, r, s;
  bool check;
  double time_limit; /* s; 0: none */
} kernel_args;

/* What a compiled kernel is given; kernels/native/prelude.c has the same structs for it. */
typedef struct kernel_array {
  void *data;
  int64_t shape[3], stride[3]; /* in elements; stride 0 along an axis that is broadcast */
} kernel_array;

/* Of the first index found outside, when that is looked for. */
enum { FAULT_FOUND, FAULT_ARRAY, FAULT_AXIS /* -1: of all elements */, FAULT_INDEX, FAULT_I, FAULT_VALUES };

typedef struct kernel_task {
  kernel_array arrays[KERNEL_IMAGES + KERNEL_RESULTS]; /* the inputs, then the outputs from KERNEL_IMAGES on */
  double numbers[KERNEL_NUMBERS];
  int64_t shape[3];
  int64_t *fault;           /* [FAULT_VALUES], on the device, all 0 at first */
  const volatile int *stop; /* on a GPU, in memory of the host that it reads: not 0: every thread is to end */
} kernel_task;

#endif
