/* SPDX-License-Identifier: MIT
 *
 * Operations that are made of a kernel.
 */
#ifndef KERNELS_OWN_CODE_H
#define KERNELS_OWN_CODE_H

#include "kernels/own/declaration.h"

/* Checks the body, and sets what of `op` depends on it. */
fv_status own_kernel_finish (own_operation *m, fv_error *error);

#endif
