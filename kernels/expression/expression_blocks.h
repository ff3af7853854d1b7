/* SPDX-License-Identifier: MIT
 *
 * The functions of expressions on blocks of values, by the vector units of the CPU.
 */
#ifndef KERNELS_EXPRESSION_EXPRESSION_BLOCKS_H
#define KERNELS_EXPRESSION_EXPRESSION_BLOCKS_H

#include "kernels/expression/expression_program.h"

/* to[i] = f (a[i], b[i], c[i]) for all n; those that the function does not take may be NULL; `to` may be one of them. */
void expression_block_f32 (int function, float *to, const float *a, const float *b, const float *c, int n);
void expression_block_f64 (int function, double *to, const double *a, const double *b, const double *c, int n);

#endif
