/* SPDX-License-Identifier: MIT
 *
 * The arguments of erosion, dilation, opening and closing, and what their kinds mean.
 */
#ifndef KERNELS_MORPHOLOGY_MORPHOLOGY_ARGS_H
#define KERNELS_MORPHOLOGY_MORPHOLOGY_ARGS_H

#include "kernels/morphology/footprint.h"

typedef struct morphology_args {
  int32_t footprint; /* footprint_shape */
  int32_t radius;
  fv_matrix matrix;
  int32_t iterations;
  bool volume;
} morphology_args;

typedef enum morphology_kind {
  MORPHOLOGY_EROSION,
  MORPHOLOGY_DILATION,
  MORPHOLOGY_OPENING,
  MORPHOLOGY_CLOSING,
} morphology_kind;

/* The operation does its second half, the opposite one with the footprint mirrored, as well. */
INLINE bool
morphology_is_twice (const fv_op *op)
{
  return (intptr_t) op->user == MORPHOLOGY_OPENING || (intptr_t) op->user == MORPHOLOGY_CLOSING;
}

/* Its first half takes the maximum, not the minimum. */
INLINE bool
morphology_begins_with_maximum (const fv_op *op)
{
  return (intptr_t) op->user == MORPHOLOGY_DILATION || (intptr_t) op->user == MORPHOLOGY_CLOSING;
}

#endif
