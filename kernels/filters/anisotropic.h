/* SPDX-License-Identifier: MIT
 *
 * anisotropic: diffusion that stops at edges, step by step. Each step is u(p) += step * the sum of g(d) d over the differences d to the 4 nearest
 * neighbors, in a volume 6. The function g is exp (-(d / contrast)^2) or 1 / (1 + (d / contrast)^2). Nothing flows over the border. NaN spreads a
 * pixel with each step. A pixel has the same bits wherever it is computed: what flows from both neighbors along an axis is summed, times the step,
 * and added: x, y, z.
 * Reference: P. Perona, J. Malik, Scale-space and edge detection using anisotropic diffusion, IEEE PAMI 12 (1990) 629.
 */
#ifndef KERNELS_FILTERS_ANISOTROPIC_H
#define KERNELS_FILTERS_ANISOTROPIC_H

#include "kernels/common/exp.h"
#include "kernels/filters/stencil.h"

typedef enum anisotropic_conductance { ANISOTROPIC_EXPONENTIAL, ANISOTROPIC_INVERSE } anisotropic_conductance;
typedef enum anisotropic_output { ANISOTROPIC_FLOAT, ANISOTROPIC_SAME } anisotropic_output;

typedef struct anisotropic_args {
  stencil_args around; /* first: the parameters of stencils find theirs; the border is always the nearest */
  int32_t iterations;
  double contrast, step;
  int32_t conductance, output;
} anisotropic_args;

enum { ANISOTROPIC_FLOAT_STEPS = 100 }; /* more of them lose the sixth digit in floats */

static inline fv_type
anisotropic_working_type (const anisotropic_args *a, fv_type in)
{
  return a->iterations > ANISOTROPIC_FLOAT_STEPS ? FV_F64 : stencil_working_type (in);
}

#define ANISOTROPIC_FLOW(S, T)                                                                                         \
  INLINE T anisotropic_flow_##S (T d, T factor, bool exponential)                                                      \
  {                                                                                                                    \
    T square = d * d * factor; /* -(d / contrast)^2 */                                                                 \
    return exponential ? defined_exp_below_0_##S (square) * d : d / (1 - square);                                      \
  }
ANISOTROPIC_FLOW (f32, float)
ANISOTROPIC_FLOW (f64, double)

#ifdef __cplusplus
extern "C" {
#endif

fv_status anisotropic_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
