/* SPDX-License-Identifier: MIT
 *
 * Whether an operation has what its traits promise.
 */
#ifndef CORE_OPS_MODULE_CHECK_TRAITS_H
#define CORE_OPS_MODULE_CHECK_TRAITS_H

#include "core/ops/op.h"

/* FALSE with *error, a sentence without a beginning. */
gboolean module_check_traits (const Op *op, GError **error);

#endif
