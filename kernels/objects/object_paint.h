/* SPDX-License-Identifier: MIT
 *
 * Label images from objects whose labels become others.
 */
#ifndef KERNELS_OBJECTS_OBJECT_PAINT_H
#define KERNELS_OBJECTS_OBJECT_PAINT_H

#include "kernels/regions/regions.h"

/* out: to[i] on the pixels of object i, else 0. */
fv_status object_paint_cpu (const fv_call *call, const regions *found, const int32_t *to, const fv_array *out,
                            fv_error *error);

#endif
