/* SPDX-License-Identifier: MIT
 *
 * Any folder as one data set: a path with named parts, 'plate/{well}_s{field}_w{channel}.tif' or 'stack/img_(?P<z>\d+)\.png', which say what the names of
 * its files mean. Parts are those of plate_pattern_parts; those that begin with '_' mean nothing.
 */
#ifndef CORE_FILES_PLATE_PATTERN_H
#define CORE_FILES_PLATE_PATTERN_H

#include "core/files/plate/index.h"

/* What a part of a name says. */
typedef enum PlatePart {
  PLATE_PART_WELL,
  PLATE_PART_ROW,
  PLATE_PART_COLUMN,
  PLATE_PART_FIELD,
  PLATE_PART_CHANNEL,
  PLATE_PART_SLICE,
  PLATE_PART_FRAME,
  PLATE_PARTS,
  PLATE_PART_NOTHING,
} PlatePart;

/* Whether a path has named parts and does not exist. */
gboolean plate_pattern_is (const char *path);
/* The folder that the names are below; NULL: the path has no named parts. Free with g_free(). */
char *plate_pattern_folder (const char *path);
/* The files that match, in their order. NULL with *error. */
PlateIndex *plate_pattern_read (const char *path, GError **error);

#endif
