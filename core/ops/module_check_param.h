/* SPDX-License-Identifier: MIT
 *
 * Whether a parameter that a plugin declares keeps the rules: the field, the numbers, the choices, and the condition under which
 * it matters.
 */
#ifndef CORE_OPS_MODULE_CHECK_PARAM_H
#define CORE_OPS_MODULE_CHECK_PARAM_H

#include "core/ops/op.h"

/* FALSE with *error, a sentence without a beginning. */
gboolean module_check_param (const Op *op, const fv_param *param, GError **error);
/* Its `enabled`; after all parameters have been checked. */
gboolean module_check_condition (const Op *op, const fv_param *param, GError **error);

#endif
