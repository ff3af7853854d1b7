/* SPDX-License-Identifier: MIT
 *
 * kernel: a user's elementwise kernel in C++, as CuPy's ElementwiseKernel takes it. in_params and out_params declare what the body
 * `operation` sees. It is run once for every element of the shape to which the inputs that are not raw broadcast, by NumPy's rules on
 * planes, rows and columns. Index i is the position of the element, _ind.size() the number of elements. NaN and borders are the user's. One
 * source for both devices: the system's compiler on the CPU, NVRTC on a GPU. Neither fuses a product and a sum into one rounding, so that
 * both give the numbers of NumPy.
 */
#ifndef KERNELS_NATIVE_KERNEL_H
#define KERNELS_NATIVE_KERNEL_H

#include "kernels/native/kernel_args.h"

#ifdef __cplusplus
extern "C" {
#endif

fv_status kernel_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
