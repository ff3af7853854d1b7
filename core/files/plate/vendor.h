/* SPDX-License-Identifier: MIT
 *
 * The data sets of microscopes that consist of many files, with an index of them. Each has a reader.
 */
#ifndef CORE_FILES_PLATE_VENDOR_H
#define CORE_FILES_PLATE_VENDOR_H

#include "core/files/plate/index.h"

typedef struct PlateVendor {
  /* Whether a file is a part of the index; head: its first n bytes. */
  gboolean (*is_index) (const char *path, const guint8 *head, gsize n);
  /* Whether a folder has such an index. Cheap. */
  gboolean (*is_folder) (const char *folder);
  /* Of the folder, or of the one that the index is in. NULL with *error. */
  PlateIndex *(*read) (const char *folder, GError **error);
} PlateVendor;

/* Whether a file is there and begins as an index of that kind. */
gboolean plate_vendor_is_index (const char *path, gboolean (*is_index) (const char *, const guint8 *, gsize));

extern const PlateVendor plate_cell_voyager, plate_image_xpress, plate_micro_manager, plate_nd_tiff, plate_operetta,
  plate_scan_r;

#endif
