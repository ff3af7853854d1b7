/* SPDX-License-Identifier: MIT
 *
 * By what a file is known again.
 */
#ifndef CORE_BATCH_STAMP_H
#define CORE_BATCH_STAMP_H

#include "core/batch/manifest.h"

/* All but the hash of its contents. FALSE with *error. */
gboolean batch_stamp_look (BatchStamp *stamp, const char *path, GError **error);
/* The hash of its contents, too: reads all of it. */
gboolean batch_stamp_read (BatchStamp *stamp, const char *path, GError **error);
/* Whether nobody has touched it, as far as the file system says. */
gboolean batch_stamp_is_same (const BatchStamp *a, const BatchStamp *b);
/* The hash of a text. */
void batch_stamp_text (const char *text, gsize n, char hash[BATCH_HASH]);

#endif
