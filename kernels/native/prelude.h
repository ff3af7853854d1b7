/* SPDX-License-Identifier: MIT
 *
 * What stands before every kernel: prelude.c and arithmetic.c, in C both of prelude_c.c.
 */
#ifndef KERNELS_NATIVE_PRELUDE_H
#define KERNELS_NATIVE_PRELUDE_H

extern const char kernel_prelude[], kernel_arithmetic[], kernel_mathematics_c[], kernel_prelude_c[];

#endif
