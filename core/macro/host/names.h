/* SPDX-License-Identifier: MIT
 *
 * What files and folders that a macro makes may not be called.
 */
#ifndef CORE_MACRO_NAMES_H
#define CORE_MACRO_NAMES_H

#include <glib.h>

/* Whether no component of the names, which slashes separate, is hidden, begins like an option, looks like a backup or has control characters.
 * FALSE with *error, which is about `path`. */
gboolean names_check (const char *names, const char *path, GError **error);

#endif
