/* SPDX-License-Identifier: MIT
 *
 * Any folder as one data set: a path with named parts, 'plate/{well}_s{field}_w{channel}.tif' or 'stack/img_(?P<z>\d+)\.png', which say what the names of
 * its files mean. Parts are those of plate_pattern_parts; those that begin with '_' mean nothing.
 */
#ifndef CORE_FILES_PLATE_PATTERN_H
#define CORE_FILES_PLATE_PATTERN_H

#include "core/files/plate/index.h"

/* Whether a path has named parts and does not exist. */
gboolean plate_pattern_is (const char *path);
/* The files that match, in their order. NULL with *error. */
PlateIndex *plate_pattern_read (const char *path, GError **error);

#endif
