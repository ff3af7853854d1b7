/* SPDX-License-Identifier: MIT
 *
 * GIF: all frames as they are shown, RGB of 8 bits, one channel where all colors are grey, alpha as the last channel where some of the
 * canvas is transparent. Delays that are equal are the frame interval.
 */
#ifndef CORE_FILES_GIF_H
#define CORE_FILES_GIF_H

#include "core/data/image.h"

gboolean files_gif_is (const guint8 *head, gsize n);
Image *files_gif_open (const char *path, GError **error);
/* What its blocks say, without decoding pixels; as files_png_describe(). */
gboolean files_gif_describe (const char *path, ImageInfo *info, const char **depends, GError **error);

#endif
