/* SPDX-License-Identifier: MIT
 *
 * Whether what a plugin declares keeps the rules of the ABI. A declaration is read with care: nothing in it makes the program
 * read without end, reserve memory without limit, or write beside a field.
 */
#ifndef CORE_OPS_MODULE_CHECK_H
#define CORE_OPS_MODULE_CHECK_H

#include "core/ops/op.h"
#include "core/ops/reader.h"

/* All of these: FALSE with *error, a sentence without a beginning ("its name has no end ..."), when a rule is broken. */

/* Versions as FV_ABI has them: one major, and below 1.0 one minor. */
gboolean module_check_abi (guint32 theirs, guint32 ours, GError **error);
/* Its own members; it may be of any size. */
gboolean module_check_plugin (const fv_plugin *plugin, GError **error);
gboolean module_check_device (const fv_device *device, GError **error);
/* A copy in this program's struct size, checked. free: reader_unref(). NULL with *error. */
Reader *module_check_reader (const fv_reader *reader, const fv_plugin *plugin, GError **error);
/* A copy in this program's struct sizes, checked. free: op_free(). NULL with *error. */
Op *module_check_op (const fv_op *op, const fv_plugin *plugin, GError **error);

#endif
