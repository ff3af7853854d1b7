/* SPDX-License-Identifier: MIT
 *
 * Errors of operations, arguments and steps: a GError that also says which parameter or input is at fault, so that a form
 * can mark its row.
 */
#ifndef CORE_BASE_ERROR_H
#define CORE_BASE_ERROR_H

#include "fovea-plugin.h"

#include <glib.h>

/* Codes are fv_status. */
#define STEP_ERROR step_error_quark ()
GQuark step_error_quark (void);

/* Key of the parameter or input at fault, or "". error: of any domain. */
const char *step_error_field (const GError *error);
/* Sets *error (domain STEP_ERROR). field may be NULL. */
void step_error_set (GError **error, fv_status code, const char *field, const char *format, ...) G_GNUC_PRINTF (4, 5);
/* The same from a plugin's error, the text preceded by `who` and the field. */
void step_error_set_from_plugin (GError **error, const char *who, const fv_error *from);
/* The message of a plugin's error as one line, with control characters removed. Free with g_free(). */
char *error_plugin_text (const fv_error *from);
/* Fills *error as a plugin would, and returns the code. */
fv_status error_fill (fv_error *error, fv_status code, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* What a plugin's function returned, known to be a status, and in error->code, too. */
fv_status error_settle (fv_status status, fv_error *error);
/* Whether the error says that the user asked to stop. */
gboolean step_error_is_cancelled (const GError *error);

#endif
