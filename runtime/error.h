/* SPDX-License-Identifier: MIT
 *
 * Errors are sentences that name what is wrong and what would work.
 */
#ifndef RUNTIME_ERROR_H
#define RUNTIME_ERROR_H

#include <glib.h>

/* Returns FALSE, which is NULL. */
gboolean model_error (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Copies as many whole characters as fit into so many bytes, of text that may be no UTF-8. */
void model_text (char *to, gsize size, const char *text);

#endif
