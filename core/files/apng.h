/* SPDX-License-Identifier: MIT
 *
 * PNG files, of one picture (png.h) or with the frames of an animation (APNG), as they are shown. Values are as stored there, too; the frames of
 * one and more bits are no mask. Delays that are equal are the frame interval.
 */
#ifndef CORE_FILES_APNG_H
#define CORE_FILES_APNG_H

#include "core/files/shared/format.h"

/* Describing it decodes no pixels. png_write.h writes it. */
extern const FileFormat format_png;

#endif
