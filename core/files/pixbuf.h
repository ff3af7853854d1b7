/* SPDX-License-Identifier: MIT
 *
 * JPEG, BMP and WebP through gdk-pixbuf: 8-bit RGB as the decoder gives it, turned as its
 * EXIF orientation asks; one channel when red, green and blue are equal everywhere. Resolutions are no calibration.
 */
#ifndef CORE_FILES_PIXBUF_H
#define CORE_FILES_PIXBUF_H

#include "core/files/shared/format.h"

/* Describing them reads headers alone. JPEG is written at quality 95: one plane of u8, or RGB. Masks are refused: JPEG would make other values
 * than 0 and 255. */
extern const FileFormat format_jpeg, format_bmp, format_webp;

#endif
