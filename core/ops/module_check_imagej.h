/* SPDX-License-Identifier: MIT
 *
 * Whether what an operation declares of ImageJ's commands makes steps of it.
 */
#ifndef CORE_OPS_MODULE_CHECK_IMAGEJ_H
#define CORE_OPS_MODULE_CHECK_IMAGEJ_H

#include "core/ops/op.h"

/* Command i of the operation; after its parameters have been checked. FALSE with *error, a sentence without a beginning. */
gboolean module_check_imagej (const Op *op, guint i, GError **error);

#endif
