/* SPDX-License-Identifier: MIT
 *
 * shading: an image times or over a random smooth field of mean 1 (field.h), as uneven light and its correction do; to augment images. The
 * result is in f or in / f, computed in double, in the type of the input. Integers are rounded to nearest, ties to even, and clamped; NaN
 * stays. Without `volume` all planes get the same field. It is double for 32-bit integers and for double.
 */
#ifndef KERNELS_FIELDS_SHADING_H
#define KERNELS_FIELDS_SHADING_H

#include "kernels/fields/field.h"

typedef enum shading_method { SHADING_MULTIPLY, SHADING_DIVIDE } shading_method;

typedef struct shading_args {
  int32_t method; /* shading_method */
  double distance;
  int32_t distribution, order;
  double amplitude;
  int32_t seed;
  bool volume;
} shading_args;

static inline field_rule
shading_rule (const shading_args *a)
{
  field_rule f = {a->seed, a->distribution, a->order, a->distance, 1, a->amplitude, a->volume};
  return f;
}

static inline fv_type
shading_field_type (fv_type image)
{
  return image == FV_I32 || image == FV_F64 ? FV_F64 : FV_F32;
}

/* The field's size for an image. */
static inline void
shading_shape (const shading_args *a, const int64_t image[3], int64_t shape[3])
{
  memcpy (shape, image, 3 * sizeof *shape);
  if (!a->volume)
    shape[0] = 1;
}

#ifdef __cplusplus
extern "C" {
#endif

fv_status shading_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
