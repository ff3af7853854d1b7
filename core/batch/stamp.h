/* SPDX-License-Identifier: MIT
 *
 * By what a file is known again, or a folder that is an image.
 */
#ifndef CORE_BATCH_STAMP_H
#define CORE_BATCH_STAMP_H

#include "core/batch/manifest.h"

/* All but the hash of its contents. FALSE with *error. */
gboolean batch_stamp_look (BatchStamp *stamp, const char *path, GError **error);
/* The same of several files and folders together. */
gboolean batch_stamp_look_at (BatchStamp *stamp, const GPtrArray *paths, GError **error);
/* Whether nothing was changed between the look at a whole and, later, at some of its files. */
gboolean batch_stamp_has (const BatchStamp *whole, const BatchStamp *some);
/* Whether the file is unchanged, according to the file system. */
gboolean batch_stamp_is_same (const BatchStamp *a, const BatchStamp *b);

#endif
