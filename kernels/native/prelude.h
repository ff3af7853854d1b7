/* SPDX-License-Identifier: MIT
 *
 * What stands before every kernel: mathematics, structs, prelude, and in C++ arithmetic.
 */
#ifndef KERNELS_NATIVE_PRELUDE_H
#define KERNELS_NATIVE_PRELUDE_H

extern const char kernel_mathematics[], kernel_structs[], kernel_prelude[], kernel_arithmetic[];
extern const char kernel_mathematics_c[], kernel_prelude_c[]; /* in C */

#endif
