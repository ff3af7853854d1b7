/* SPDX-License-Identifier: MIT
 *
 * interpret: an image as labels or as a mask, for operations that want one. Labels: out = in where that is an integer from 0
 * to 2^31 - 1, else 0 (check_labels finds such pixels); of a mask, 1 inside and 0 outside. Mask: out = 255 where in is
 * neither 0 nor NaN, else 0.
 */
#ifndef KERNELS_IMAGE_INTERPRET_H
#define KERNELS_IMAGE_INTERPRET_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum interpret_role { INTERPRET_LABELS, INTERPRET_MASK } interpret_role;

typedef struct interpret_args {
  int32_t role; /* interpret_role */
} interpret_args;

/* Whether a value is a label, and if so which. The double holds a value of any type exactly. */
INLINE bool
is_label (double v)
{
  return (v >= 0) & (v < 2147483648.0) & (trunc (v) == v);
}

INLINE int32_t
to_label (double v, bool from_mask)
{
  return from_mask ? v != 0 : is_label (v) ? (int32_t) v : 0;
}

INLINE uint8_t
to_mask (double v)
{
  return v < 0 || v > 0 ? 255 : 0;
}

fv_status interpret_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
