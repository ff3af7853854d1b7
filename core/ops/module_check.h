/* SPDX-License-Identifier: MIT
 *
 * Whether what a plugin declares keeps the rules of the ABI. A declaration is read with care: nothing in it makes the program
 * read without end, reserve memory without limit, or write beside a field.
 */
#ifndef CORE_OPS_MODULE_CHECK_H
#define CORE_OPS_MODULE_CHECK_H

#include "core/ops/module.h"

/* All of these: FALSE with *error, a sentence without a beginning ("its name has no end ..."), when a rule is broken. */

/* Its own members; it may be of any size. */
gboolean module_check_plugin (const fv_plugin *plugin, GError **error);
gboolean module_check_device (const fv_device *device, GError **error);
/* A copy in this program's struct sizes, checked. free: op_free(). NULL with *error. */
Op *module_check_op (const fv_op *op, const fv_plugin *plugin, GError **error);
void op_free (gpointer op);

/* ---- For the files of these checks alone ---- */

enum { MODULE_KEY = 64 }; /* room for a key, as in fv_error.field */

/* Sets *error; returns FALSE. */
gboolean module_fault (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Text of less than `most` bytes, UTF-8 without control characters, not empty. what: "label". */
gboolean module_check_text (const char *what, const char *text, gsize most, GError **error);
/* The same, or NULL. */
gboolean module_check_text_or_null (const char *what, const char *text, gsize most, GError **error);
/* What a bool holds, which need be none. */
gboolean module_check_bool (const char *what, const bool *b, GError **error);
/* lower_snake_case */
gboolean module_check_key (const char *key, GError **error);
/* No key but the first's `last` is before it in an array of structs that begin with it. */
gboolean module_check_new_key (gconstpointer array, gsize size, guint last, GError **error);
/* A key that means something else in the text of a step. */
gboolean module_check_word (const char *key, GError **error);
gboolean module_check_param (const Op *op, const fv_param *param, GError **error);
/* Its `enabled`; after all parameters have been checked. */
gboolean module_check_condition (const Op *op, const fv_param *param, GError **error);

#endif
