/* SPDX-License-Identifier: MIT
 *
 * Outputs whose planes are pieces of planes of the inputs: each is found by a function and copied, row by row on the CPU, by the device
 * itself on a GPU. NaN is copied.
 */
#ifndef KERNELS_IMAGE_COPY_PLANES_H
#define KERNELS_IMAGE_COPY_PLANES_H

#include "kernels/common/common.h"

enum { COPY_PLANES_INPUTS = 16 };

/* From where on a plane of the output is a copy. The array has the type of the output. */
typedef struct plane_source {
  const fv_array *array;
  int64_t plane, row, column;
} plane_source;

typedef plane_source (*find_source) (const fv_call *call, int64_t plane);

/* The whole plane that the operation's own plane() names. */
plane_source copy_planes_named (const fv_call *call, int64_t plane);

fv_status copy_planes_cpu (const fv_call *call, find_source find, fv_error *error);
/* Any device: by its own copies, in its stream. */
fv_status copy_planes_on_device (const fv_call *call, find_source find, fv_error *error);

#endif
