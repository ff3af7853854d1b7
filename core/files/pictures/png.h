/* SPDX-License-Identifier: MIT
 *
 * PNG, values as stored: gamma, profiles and single transparent colors are ignored. One bit is a mask of 0 and 255; 2 and 4 bits of gray are values
 * up to 3 and 15. A palette becomes RGB, or one channel when all its colors are gray, or of indices when it is of labels (samples.h). Alpha that is
 * not opaque everywhere is the last channel. Pixel sizes that are usual resolutions of screens and printers are no calibration.
 */
#ifndef CORE_FILES_PICTURES_PNG_H
#define CORE_FILES_PICTURES_PNG_H

#include "core/data/image.h"
#include "core/files/shared/samples.h"

Image *files_png_open (const char *path, GError **error);
/* What the header says. Clear *info with image_info_clear(). *depends: what the pixels may change of that, or NULL. FALSE with *error. */
gboolean files_png_describe (const char *path, ImageInfo *info, const char **depends, GError **error);

/* What a PNG file in memory says, and its pixels when these are wanted. */
typedef struct FilesPng {
  ImageInfo info;
  FilesSamples samples; /* of `pixels` */
  guint8 *pixels;
} FilesPng;

/* FALSE with *error; files_png_clear() in any case. `bytes` are not changed. */
gboolean files_png_read (const char *path, guint8 *bytes, gsize n, gboolean pixels, FilesPng *png, GError **error);
void files_png_clear (FilesPng *png);

#endif
