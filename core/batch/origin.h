/* SPDX-License-Identifier: MIT
 *
 * Whether an image is what its file was when the batch opened it. Of a data set of many files only those are looked at that the image is read from.
 */
#ifndef CORE_BATCH_ORIGIN_H
#define CORE_BATCH_ORIGIN_H

#include "core/batch/plan.h"

typedef struct BatchOrigin {
  const BatchFile *file;
  GPtrArray *paths; /* NULL: the whole file */
  BatchStamp before;
} BatchOrigin;

/* What is known of image n before it is read. FALSE with *error when it is newer than the stamp of the file. */
gboolean batch_origin_look (BatchOrigin *origin, const BatchFile *file, guint n, GError **error);
/* Whether it is the same now, when it has been read. FALSE with *error. */
gboolean batch_origin_is_same (const BatchOrigin *origin, GError **error);
void batch_origin_clear (BatchOrigin *origin);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BatchOrigin, batch_origin_clear)

#endif
