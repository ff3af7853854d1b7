/* SPDX-License-Identifier: MIT
 *
 * The images of a data set in many files: one for each well and field, or each field, or only one. What an index does not have in full, such as the
 * last frame of an acquisition that was stopped, is left out, and said.
 */
#ifndef CORE_FILES_PLATE_LAYOUT_H
#define CORE_FILES_PLATE_LAYOUT_H

#include "core/data/image_info.h"
#include "core/files/plate/index.h"

/* Its entries by position: (frame × channels + channel) × slices + slice. */
typedef struct PlateSeries {
  guint well; /* of the index, or PLATE_NO_WELL */
  gint64 field;
  gint64 sizes[PLATE_AXES]; /* of entries */
  const PlateEntry **entries;
} PlateSeries;

/* Does not change once it is made. */
typedef struct PlateLayout {
  gatomicrefcount references;
  PlateIndex *index;
  char *name;        /* of the data set */
  GPtrArray *series; /* PlateSeries, at least one */
  GPtrArray *paths;  /* of all files */
  GString *left_out;
} PlateLayout;

/* Takes the index. path: of the data set. NULL with *error. */
PlateLayout *plate_layout_new (PlateIndex *index, const char *path, GError **error);
PlateLayout *plate_layout_ref (PlateLayout *layout);
void plate_layout_unref (PlateLayout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlateLayout, plate_layout_unref)
/* The path of an entry's file. */
const char *plate_layout_path (const PlateLayout *layout, const PlateEntry *entry);
/* What series n is, made of what its first file is. first: of its first file alone. FALSE with *error when the file has an
 * axis that entries have, too. */
gboolean plate_layout_info (const PlateLayout *layout, guint n, const ImageInfo *first, ImageInfo *info,
                            GError **error);

#endif
