/* SPDX-License-Identifier: MIT
 *
 * The files of a package, in memory.
 */
#ifndef RUNTIME_FILES_H
#define RUNTIME_FILES_H

#include <glib.h>

enum { FILES_MOST = 1000, FILES_NAME = 200 };
#define FILES_BYTES ((gint64) 2 << 30) /* of all files */

/* Name -> GBytes. */
typedef GHashTable Files;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Files, g_hash_table_unref)

Files *files_new (void);
/* FALSE with *error: there are too many files or bytes, or the name leads out of the package. Takes over the bytes. */
gboolean files_add (Files *files, const char *name, GBytes *bytes, GError **error);
/* Of a ZIP archive. Without the folder that all of them are in. NULL with *error. */
Files *files_unzip (const void *zip, gsize n, GError **error);
/* NULL with *error. */
GBytes *files_get (Files *files, const char *name, GError **error);

#endif
