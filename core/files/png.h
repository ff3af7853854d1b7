/* SPDX-License-Identifier: MIT
 *
 * PNG, values as stored: gamma, profiles and single transparent colours are ignored. One bit is a mask of 0 and 255; 2 and 4
 * bits of grey are numbers up to 3 and 15; a palette becomes RGB, or one channel when all its colours are grey. Alpha that
 * is not opaque everywhere is the last channel. Pixel sizes that are usual resolutions of screens and printers are no
 * calibration.
 */
#ifndef CORE_FILES_PNG_H
#define CORE_FILES_PNG_H

#include "core/data/image.h"

gboolean files_png_is (const guint8 *head, gsize n);
Image *files_png_open (const char *path, GError **error);
/* What the header says. Clear *info with image_info_clear(). *depends: what the pixels may change of that, or NULL. FALSE with *error. */
gboolean files_png_describe (const char *path, ImageInfo *info, const char **depends, GError **error);

#endif
