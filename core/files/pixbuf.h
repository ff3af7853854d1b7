/* SPDX-License-Identifier: MIT
 *
 * JPEG, BMP, binary PNM and WebP through gdk-pixbuf: 8-bit RGB as the decoder gives it, turned as its
 * EXIF orientation asks; one channel when red, green and blue are equal everywhere. Resolutions are no calibration.
 * What gdk-pixbuf would scale (PNM whose largest value is not 255) is refused.
 */
#ifndef CORE_FILES_PIXBUF_H
#define CORE_FILES_PIXBUF_H

#include "core/data/image.h"

gboolean files_pixbuf_is (const guint8 *head, gsize n);
Image *files_pixbuf_open (const char *path, GError **error);
/* What the header says, as files_png_describe(). */
gboolean files_pixbuf_describe (const char *path, ImageInfo *info, const char **depends, GError **error);
/* One plane of u8, or RGB, at quality 95. Masks are refused: JPEG would make other values than 0 and 255. */
gboolean files_pixbuf_save_jpeg (Image *image, const char *path, GError **error);

#endif
