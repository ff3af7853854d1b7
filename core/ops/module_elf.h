/* SPDX-License-Identifier: MIT
 *
 * Whether a file can be given to dlopen(), which crashes on one that is cut off.
 */
#ifndef CORE_OPS_MODULE_ELF_H
#define CORE_OPS_MODULE_ELF_H

#include <glib.h>

/* FALSE with *error, which names the file, unless it is a regular file, a whole shared library, and for this machine. */
gboolean module_elf_check (const char *path, GError **error);

#endif
