/* SPDX-License-Identifier: MIT
 *
 * smooth_field: a random smooth field (field.h) of the size of an image, or another, which needs no image; of its pixels nothing is
 * taken. Without `volume` all planes are the same.
 */
#ifndef KERNELS_FIELDS_SMOOTH_FIELD_H
#define KERNELS_FIELDS_SMOOTH_FIELD_H

#include "kernels/fields/field.h"

typedef struct smooth_field_args {
  int32_t width, height, depth; /* 0: the image's */
  double distance;
  int32_t distribution, order;
  double mean, amplitude;
  int32_t seed;
  bool volume;
} smooth_field_args;

static inline field_rule
smooth_field_rule (const smooth_field_args *a)
{
  field_rule f = {a->seed, a->distribution, a->order, a->distance, a->mean, a->amplitude, a->volume};
  return f;
}

#ifdef __cplusplus
extern "C" {
#endif

fv_status smooth_field_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
