/* SPDX-License-Identifier: MIT
 *
 * A formula as a CUDA kernel.
 */
#ifndef KERNELS_EXPRESSION_EXPRESSION_SOURCE_H
#define KERNELS_EXPRESSION_EXPRESSION_SOURCE_H

#include "kernels/expression/expression_job.h"

enum { EXPRESSION_THREADS = 256, EXPRESSION_PACKS = 2, EXPRESSION_SOURCE = 1 << 17 };

/* Writes the text of the kernel "expression" for a job. pack: 0, or how many pixels of a flat job go together. False: it does not fit.
 * Arguments of a flat kernel, in this order: the inputs that are used, the output, pixels (int64_t), uniform values that are used and no constants (in the
 * working type). Of any other: for each input that is used, and then the output: the array and its strides channel, plane, row
 * (int64_t); depth, rows, columns (int32_t), lines (int64_t), the value outside (double), uniform values. */
bool expression_source (const expression_job *job, int pack, char *text, size_t size);

/* Whether a value is an argument of the kernel. */
static inline bool
expression_is_argument (const expression_program *p, int value)
{
  return p->used[value] && p->values[value].uniform && p->values[value].kind != VALUE_CONSTANT;
}

#endif
