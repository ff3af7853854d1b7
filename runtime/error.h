/* SPDX-License-Identifier: MIT
 *
 * Errors are sentences that name what is wrong and what would work.
 */
#ifndef RUNTIME_ERROR_H
#define RUNTIME_ERROR_H

#include <glib.h>

/* Returns FALSE, which is NULL. */
gboolean model_error (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

#endif
