/* SPDX-License-Identifier: MIT
 *
 * Checks in the loops of a kernel for a GPU.
 */
#ifndef KERNELS_NATIVE_LOOPS_H
#define KERNELS_NATIVE_LOOPS_H

#include "kernels/common/text.h"

/* Declares what the checks call; comes before the kernel. */
extern const char kernel_checks[];

/* The code as text_add_guarded() has it, whose loops ask fovea_goes_on() at each turn. preamble: where constants may be defined, apart from
 * the code itself. */
void text_add_with_checks (text *s, const char *code, const char *preamble);

#endif
