/* SPDX-License-Identifier: MIT
 *
 * What a kernel is, applied to these images: its parameters with their types, their images and numbers, and the shape that it runs over.
 */
#ifndef KERNELS_NATIVE_PLAN_H
#define KERNELS_NATIVE_PLAN_H

#include "kernels/native/declare.h"
#include "kernels/native/settings.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kernel_plan {
  kernel_params in, out;       /* every type known */
  int8_t array[KERNEL_PARAMS]; /* of each parameter of `in` the image that it is, or the index of its number */
  const kernel_type *memory[KERNEL_IMAGES]; /* what the pixels of an image are */
  double numbers[KERNEL_NUMBERS];
  int64_t shape[3];
} kernel_plan;

/* inputs: [settings->n_images]; NULL: not given. */
fv_status kernel_plan_make (const kernel_settings *settings, const fv_grid *const *inputs, kernel_plan *plan,
                            fv_error *error);
/* `in` and `out` alone: all that can be told without images. */
fv_status kernel_plan_declare (const kernel_own *own, kernel_plan *plan, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
