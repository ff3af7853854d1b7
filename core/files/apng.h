/* SPDX-License-Identifier: MIT
 *
 * PNG files, of one picture (png.h) or with the frames of an animation (APNG), as they are shown. Values are as stored there, too; the frames of
 * one and more bits are no mask. Delays that are equal are the frame interval.
 */
#ifndef CORE_FILES_APNG_H
#define CORE_FILES_APNG_H

#include "core/data/image.h"

Image *files_apng_open (const char *path, GError **error);
/* What its chunks say, without decoding pixels; as files_png_describe(). */
gboolean files_apng_describe (const char *path, ImageInfo *info, const char **depends, GError **error);

#endif
