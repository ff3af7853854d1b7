/* SPDX-License-Identifier: MIT
 *
 * plain: a new image from black, 0, to white, the largest integer of its type or 1.0. It is black, white, a ramp that is white * x /
 * (columns - 1), or noise. Noise is white * N (1/2, 1/8) clipped to that range, with field_node (i) of pixel i, counted plane by plane and
 * row by row. Integers are rounded to nearest. It needs no image, and of the pixels of one nothing is taken.
 */
#ifndef KERNELS_FIELDS_PLAIN_H
#define KERNELS_FIELDS_PLAIN_H

#include "kernels/fields/field.h"

typedef enum plain_fill { PLAIN_BLACK, PLAIN_WHITE, PLAIN_RAMP, PLAIN_NOISE } plain_fill;

typedef struct plain_args {
  int32_t fill, type;                     /* type: 0 u8, 1 u16, 2 f32 */
  int32_t width, height, depth, channels; /* 0: the image's */
  int32_t seed;
} plain_args;

typedef struct plain_rule {
  int32_t fill;
  int64_t columns;
  field_rule noise;
  double white;
} plain_rule;

static inline plain_rule
plain_rule_of (const plain_args *a, const fv_array *out)
{
  double white = out->grid->type == FV_U8 ? 255 : out->grid->type == FV_U16 ? 65535 : 1;
  plain_rule r = {a->fill, array_columns (out), {a->seed, FIELD_NORMAL, 0, 1, white / 2, white / 8, false}, white};
  return r;
}

/* The number of the first pixel of a call, which is for one frame. */
static inline int64_t
plain_first (const fv_call *call)
{
  const int64_t *shape = call->outputs[0]->tensor.shape;
  return call->frame * shape[0] * shape[1] * shape[2];
}

/* Of pixel i, in column x. */
INLINE double
plain_value (const plain_rule *r, int64_t i, int64_t x)
{
  switch (r->fill) {
  case PLAIN_WHITE: return r->white;
  case PLAIN_RAMP: return r->columns > 1 ? r->white * (double) x / (double) (r->columns - 1) : 0;
  case PLAIN_NOISE: return fmin (fmax (field_node (&r->noise, i), 0.0), r->white);
  default: return 0;
  }
}

#ifdef __cplusplus
extern "C" {
#endif

fv_status plain_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
