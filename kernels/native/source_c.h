/* SPDX-License-Identifier: MIT
 *
 * The user's operation as a function in C.
 */
#ifndef KERNELS_NATIVE_SOURCE_C_H
#define KERNELS_NATIVE_SOURCE_C_H

#include "kernels/native/plan.h"
#include "kernels/common/text.h"

void add_body_c (text *s, const kernel_code *code, const kernel_plan *plan);

#endif
