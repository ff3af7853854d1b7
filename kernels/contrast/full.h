/* SPDX-License-Identifier: MIT
 *
 * What operations on contrast share: results of the input's type, spread over all of it, or float, from 0 to 1.
 */
#ifndef KERNELS_CONTRAST_FULL_H
#define KERNELS_CONTRAST_FULL_H

#include "kernels/common/common.h"

typedef enum full_output { FULL_SAME, FULL_FLOAT } full_output;

#define FULL_OUTPUTS                                                                                                   \
  (const fv_choice[])                                                                                                  \
  {                                                                                                                    \
    {"same", "Like the input", "The full range of the input's type: up to 255 or 65535, or 1 for floats."},            \
      {"float", "Float", "From 0 to 1 in 32-bit float, or 64-bit for an image of 64-bit float or 32-bit integers."},   \
    {                                                                                                                  \
      0                                                                                                                \
    }                                                                                                                  \
  }

/* The value that counts as 1. */
static inline double
full_of (fv_type type)
{
  return type == FV_U8 ? 255 : type == FV_U16 ? 65535 : type == FV_I32 ? 2147483647.0 : 1;
}

static inline fv_type
full_float (fv_type type)
{
  return type == FV_I32 || type == FV_F64 ? FV_F64 : FV_F32;
}

/* Intensities of that type; colors stay colors as long as their type does. */
static inline void
full_grid (fv_grid *out, const fv_grid *in, fv_type type)
{
  out->type = type;
  if (in->role != FV_RGB || type != in->type)
    out->role = FV_IMAGE;
  out->dense = false;
}

#endif
