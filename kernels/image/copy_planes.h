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

/* On any device. */
fv_status copy_planes (const fv_call *call, find_source find, fv_error *error);
/* The whole of an operation with plane(), of the planes that it names. */
fv_status copy_named_planes (const fv_call *call, fv_error *error);

#endif
