/* SPDX-License-Identifier: MIT
 *
 * The rows of images in the files of parts: CSV with a header, as journal.h has put them there.
 */
#ifndef CORE_BATCH_PART_H
#define CORE_BATCH_PART_H

#include "core/batch/folder.h"

typedef struct BatchParts BatchParts;

/* The folder has to live longer. */
BatchParts *batch_parts_new (const BatchFolder *folder);
void batch_parts_free (BatchParts *parts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BatchParts, batch_parts_free)
/* Opens the file of a shard, if it is not open. FALSE with *error. One thread. */
gboolean batch_parts_open (BatchParts *parts, guint shard, GError **error);
/* The first `max` bytes of an image's rows, and a NUL behind them. NULL with *error. Any thread once the shard is open, which it opens otherwise. Free with
 * g_free(). */
char *batch_parts_read (BatchParts *parts, const BatchRecord *record, gint64 max, gsize *n, GError **error);

#endif
