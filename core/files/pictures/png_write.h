/* SPDX-License-Identifier: MIT
 *
 * Writing PNG and animations (APNG), on all cores.
 */
#ifndef CORE_FILES_PICTURES_PNG_WRITE_H
#define CORE_FILES_PICTURES_PNG_WRITE_H

#include "core/data/image.h"

/* One plane of u8, u16 or of integers that fit into 16 bits, or RGB; the pixel size when its unit is a length. options: none. */
gboolean files_png_save (Image *image, const char *path, gconstpointer options, GError **error);

/* Appends a PNG file of planes of u8, one behind the other: one, or three of RGB. path: for errors. */
gboolean files_png_encode (const char *path, const ImageInfo *info, const guint8 *planes, GByteArray *to,
                           GError **error);
/* An animation of all frames, of the same types. options: FilesMovieChoices. */
gboolean files_apng_save (Image *image, const char *path, gconstpointer options, GError **error);

#endif
