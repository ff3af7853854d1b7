/* SPDX-License-Identifier: MIT
 *
 * stencil: what filters over neighbors of a pixel share: arguments, form, and lines of the image with its surroundings. Neighbors are 3 x 3 or more
 * or, in a volume, 3 x 3 x 3. Border: as the argument says. Numbers are floats, or doubles where floats would lose digits of the image.
 */
#ifndef KERNELS_FILTERS_STENCIL_H
#define KERNELS_FILTERS_STENCIL_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stencil_args {
  int32_t border;
  double value; /* outside, with BORDER_CONSTANT */
  bool volume;
} stencil_args;

#define STENCIL_BORDER                                                                                                 \
  {FV_FIELD (stencil_args, border), .label = "Border", .advanced = true,                                               \
   .choices = (const fv_choice[]){BORDER_CHOICES, {0}}, .help = "Values outside the image."},                          \
  {                                                                                                                    \
    FV_FIELD (stencil_args, value), .label = "Value outside", .advanced = true, .enabled = "border=constant",          \
                                    .help = "The constant outside the image."                                          \
  }
#define STENCIL_VOLUME                                                                                                 \
  {                                                                                                                    \
    FV_FIELD (stencil_args, volume), .label = "3-D (whole stack)",                                                     \
                                     .help = "Takes the planes as one volume, with neighbors along z too."             \
  }

extern const fv_input stencil_inputs[];

/* Of operations whose arguments begin with stencil_args. */
fv_grain stencil_grain (const fv_op *op, const void *args);
void stencil_halo (const fv_op *op, const void *args, const fv_grid *input, int64_t halo[3]);

INLINE fv_type
stencil_working_type (fv_type in)
{
  return in == FV_I32 || in == FV_F64 ? FV_F64 : FV_F32;
}

/* ---- On the CPU ---- */

enum { STENCIL_REACH_MAX = 100 };

/* Writes n numbers from the lines of 2 reach + 1 rows; the middle one is the row itself. In a volume these are of three planes, one after the
 * other; the middle one is its own. Numbers -reach ... n - 1 + reach of each can be read. */
typedef void stencil_row (void *to, const void *const *lines, int64_t n, const void *rule);

typedef struct stencil {
  const fv_call *call;
  const stencil_args *args;
  stencil_row *f32, *f64;
  const void *rule;
  fv_type type;  /* of the lines */
  int64_t reach; /* rows and columns; 1 in a volume */
  progress progress;
  char *memory; /* of each thread: the lines and a result */
  int64_t bytes, lead, pitch, side, each;
} stencil;

/* After the members up to `reach` and progress.total, which counts rows, are set. */
fv_status stencil_prepare (stencil *s, fv_error *error);

/* All rows of `out` from `in`, which is another image. */
void stencil_pass (stencil *s, const fv_array *in, const fv_array *out);

#ifdef __cplusplus
}
#endif

#endif
