/* SPDX-License-Identifier: MIT
 *
 * What a kernel is asked to do: by the operation `kernel` itself, or by one that was made of a kernel.
 */
#ifndef KERNELS_NATIVE_SETTINGS_H
#define KERNELS_NATIVE_SETTINGS_H

#include "kernels/native/kernel_args.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Texts, and in which line of their file operation and preamble begin. */
typedef struct kernel_code {
  const char *in_params, *out_params, *operation, *preamble, *size;
  int operation_line, preamble_line;
  bool check;
  double time_limit; /* s; 0: none */
} kernel_code;

/* What an operation that was made of a kernel has as its `user`. */
typedef struct kernel_own {
  kernel_code code;
  int n_numbers; /* its parameters, in their order */
  const char *numbers[KERNEL_NUMBERS];
} kernel_own;

typedef struct kernel_settings {
  kernel_code code;
  int n_images, n_results; /* that the operation declares */
  int n_numbers;           /* that in_params can give a name: */
  const char *numbers[KERNEL_NUMBERS];
  double values[KERNEL_NUMBERS];
} kernel_settings;

enum { KERNEL_TIME_LIMIT = 60 /* s, the default */ };

void kernel_read (const fv_op *op, const void *args, kernel_settings *settings);
/* The status. An error of an operation that was made of a kernel names its file, as it has no parameter with that text. */
fv_status kernel_blame (const fv_op *op, fv_status status, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
