/* SPDX-License-Identifier: MIT
 *
 * Files of operations that users write: KEY.operation, a text for a plugin that makes an operation of it.
 */
#ifndef CORE_OPS_OPERATION_FILE_H
#define CORE_OPS_OPERATION_FILE_H

#include <glib.h>

#define OPERATION_SUFFIX ".operation"

/* The folders of $FOVEA_OPERATION_PATH, then the user's own. Free with g_strfreev(). */
char **operation_file_folders (void);
/* The files in a folder, by name: an array of paths. */
GPtrArray *operation_file_list (const char *folder);
/* Key and text of a file; FALSE with *error. */
gboolean operation_file_read (const char *path, char **key, char **text, GError **error);

/* Where an operation of that key is kept in the user's folder. Free with g_free(). */
char *operation_file_path (const char *key);
/* All or nothing; makes the folder. */
gboolean operation_file_write (const char *path, const char *text, GError **error);

#endif
