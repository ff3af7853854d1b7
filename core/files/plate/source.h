/* SPDX-License-Identifier: MIT
 *
 * The pixels of a series: each plane is read through the reader of its file's format.
 */
#ifndef CORE_FILES_PLATE_SOURCE_H
#define CORE_FILES_PLATE_SOURCE_H

#include "core/data/image.h"
#include "core/files/plate/layout.h"

/* What headers say of series n, of which only the first file is opened. *depends: see FileFormat. FALSE with *error. */
gboolean plate_source_describe (const PlateLayout *layout, guint n, ImageInfo *info, const char **depends,
                                GError **error);
/* Series n, all files of which are looked at: of different size or type they are an error. It refers to the layout. NULL with *error. */
Image *plate_source_image (PlateLayout *layout, guint n, GError **error);

#endif
