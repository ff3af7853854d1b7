/* SPDX-License-Identifier: MIT
 *
 * The objects of a measured image for any type of labels, pixel by pixel. Only requested pixels are read or
 * downloaded.
 */
#ifndef CORE_MEASURE_OBJECT_LABELS_H
#define CORE_MEASURE_OBJECT_LABELS_H

#include "core/data/image.h"

/* The label of each pixel of a region of a plane, dense; 0 if its value is not a label; a whole mask is one object.
 * FALSE with *error. */
gboolean object_labels_read (Image *image, gint64 plane, const ImageRegion *region, gint32 *labels, GError **error);

/* Rows of a region of a plane, read some at a time as they are wanted, from the first to the last. */
typedef struct ObjectRows {
  Image *image;
  gint64 plane;
  ImageRegion region, have;
  gint32 *labels;
} ObjectRows;

/* The region's part of a row; valid until the next call. NULL with *error. */
const gint32 *object_rows_at (ObjectRows *rows, gint64 row, GError **error);
void object_rows_clear (ObjectRows *rows);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ObjectRows, object_rows_clear)

#endif
