/* SPDX-License-Identifier: MIT
 *
 * Writes what the plugin needs of a package into a folder: see kernels/network/model_file.h.
 */
#ifndef RUNTIME_STORE_H
#define RUNTIME_STORE_H

#include "runtime/package.h"

/* The folder appears whole. Beside it the 16 newest ones stay. FALSE with *error. */
gboolean store_package (const Package *package, const char *folder, GError **error);

#endif
