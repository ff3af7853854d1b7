/* SPDX-License-Identifier: MIT
 *
 * JPEG, BMP, WebP, HEIF, AVIF and JPEG XL through gdk-pixbuf, where it has a loader for them. Pixels are 8-bit RGB as the decoder gives them, turned as
 * the EXIF orientation asks; one channel when red, green and blue are equal everywhere. Resolutions are no calibration.
 */
#ifndef CORE_FILES_PICTURES_PIXBUF_H
#define CORE_FILES_PICTURES_PIXBUF_H

#include "core/files/shared/format.h"

/* Describing them reads headers alone. JPEG is written at quality 95: one plane of u8, or RGB. Masks are refused: JPEG would make other values
 * than 0 and 255. */
extern const FileFormat format_jpeg, format_bmp, format_webp, format_heif, format_avif, format_jxl;

#endif
