/* SPDX-License-Identifier: MIT
 *
 * Consent to code of this machine that a step carries in its texts: what is not allowed does not run. Any thread.
 */
#ifndef CORE_OPS_NATIVE_H
#define CORE_OPS_NATIVE_H

#include "core/ops/module.h"

/* The texts of a step of such an operation, as people read them: "operation:\n...\n", or the file that it was made of; NULL: it has none.
 * Free with g_free(). */
char *native_code (const Op *op, gconstpointer args);
/* Allows that code, from native_code(), for as long as the modules live; NULL: whatever there is. */
void native_allow (const Modules *modules, const char *code);
/* What an operation of a plugin declares as its defaults always is. */
gboolean native_is_allowed (const Op *op, gconstpointer args);
/* The same with *error, which says what to do. */
gboolean native_check (const Op *op, gconstpointer args, GError **error);

#endif
