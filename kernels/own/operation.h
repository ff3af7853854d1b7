/* SPDX-License-Identifier: MIT
 *
 * Operations of the user's texts: fv_plugin.op_new() and op_free().
 */
#ifndef KERNELS_OWN_OPERATION_H
#define KERNELS_OWN_OPERATION_H

#include "kernels/common/common.h"

fv_status operation_new (const char *key, const char *text, const fv_op **op, fv_error *error);
void operation_free (const fv_op *op);

#endif
