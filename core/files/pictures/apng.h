/* SPDX-License-Identifier: MIT
 *
 * PNG files, of one picture (png.h) or with the frames of an animation (APNG), as they are shown. Values are as stored there, too; the frames of
 * one and more bits are no mask. Delays that are equal are the frame interval.
 */
#ifndef CORE_FILES_PICTURES_APNG_H
#define CORE_FILES_PICTURES_APNG_H

#include "core/files/shared/format.h"

/* Describing them decodes no pixels. png_write.h writes them: PNG one picture, and APNG all frames. */
extern const FileFormat format_apng, format_png;

#endif
