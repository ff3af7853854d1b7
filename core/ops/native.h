/* SPDX-License-Identifier: MIT
 *
 * Consent to code of this machine that a step carries in its texts, or that its operation was made of: what is not allowed does not run.
 * Any thread.
 */
#ifndef CORE_OPS_NATIVE_H
#define CORE_OPS_NATIVE_H

#include "core/ops/module.h"

/* The texts of a step of such an operation, as people read them: "operation:\n...\n", or the file that it was made of; NULL: it has none.
 * Free with g_free(). */
char *native_code (const Op *op, gconstpointer args);
/* Allows that code, from native_code(), for the lifetime of the modules; NULL: any code. */
void native_allow (const Modules *modules, const char *code);
gboolean native_text_is_allowed (const Modules *modules, const char *code);
/* The same of a step. What an operation of a plugin declares as its defaults always is. */
gboolean native_is_allowed (const Op *op, gconstpointer args);
/* The same with *error, which says what to do. */
gboolean native_check (const Op *op, gconstpointer args, GError **error);

/* Records where that code was found, "the file 'x.steps'"; native_origin() returns it, or NULL if unknown. Free with
 * g_free(). */
void native_note_origin (const Modules *modules, const char *code, const char *from);
char *native_origin (const Op *op, gconstpointer args);

/* ---- What is allowed for longer ---- */

/* Allows what native_keep() was given in earlier runs of a program: for a person at a window, never for what runs unattended. */
void native_allow_kept (const Modules *modules);
/* Allows that code, and keeps in the user's configuration, $XDG_CONFIG_HOME/fovea/allowed-code, the checksum and what it is, a line each. FALSE
 * with *error when it is not kept. */
gboolean native_keep (const Modules *modules, const char *code, const char *what, GError **error);
/* How many are kept. */
guint native_kept (const Modules *modules);
/* None is kept or, of those, allowed any more. FALSE with *error when the file stays. */
gboolean native_forget (const Modules *modules, GError **error);

/* ---- Macros ---- */

/* The operation whose code the text of a macro seems to carry, and in which line, from 1; NULL: none. */
const Op *native_in_macro (const Modules *modules, const char *text, guint *line);
/* Whether a macro may begin; name: what errors call it. FALSE with *error. */
gboolean native_check_macro (const Modules *modules, const char *text, const char *name, GError **error);

#endif
