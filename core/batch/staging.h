/* SPDX-License-Identifier: MIT
 *
 * Folders in which a job saves before its outputs get their names.
 */
#ifndef CORE_BATCH_STAGING_H
#define CORE_BATCH_STAGING_H

#include <glib.h>

/* Makes an empty folder in `parent`, which is made when it is not there. NULL with *error. Free with g_free(). */
char *batch_staging_new (const char *parent, GError **error);
/* What is in it, in natural order: (element-type utf8), freed with g_ptr_array_unref(). */
GPtrArray *batch_staging_names (const char *folder);
/* Removes a folder, if there is one, with all that is in it. */
void batch_staging_remove (const char *folder);

#endif
