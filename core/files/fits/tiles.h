/* SPDX-License-Identifier: MIT
 *
 * Pixels of an image that was compressed tile by tile, as fpack does it: RICE_1, GZIP_1, GZIP_2, HCOMPRESS_1, PLIO_1 and NOCOMPRESS. Floats
 * were made integers for it, with a scale for each tile and perhaps with dither, or packed as they are.
 */
#ifndef CORE_FILES_FITS_TILES_H
#define CORE_FILES_FITS_TILES_H

#include "core/data/source.h"
#include "core/files/fits/values.h"

typedef struct FilesFitsTiles FilesFitsTiles;

/* What it is given lives as long as it. NULL with *error. */
FilesFitsTiles *files_fits_tiles_new (const FilesFitsFile *file, const FilesFitsImage *image,
                                      const FilesFitsValues *values, GError **error);
void files_fits_tiles_free (FilesFitsTiles *tiles);
/* As ImageSource's level() and read(), level 0 alone. */
void files_fits_tiles_level (const FilesFitsTiles *tiles, ImageLevel *level);
gboolean files_fits_tiles_read (const FilesFitsTiles *tiles, gint64 plane, const ImageRegion *region, void *to,
                                gsize stride, GError **error);

#endif
