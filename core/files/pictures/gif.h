/* SPDX-License-Identifier: MIT
 *
 * GIF: all frames as they are shown, RGB of 8 bits, one channel where all colors are gray, alpha as the last channel where some of the
 * canvas is transparent. Delays that are equal are the frame interval.
 */
#ifndef CORE_FILES_PICTURES_GIF_H
#define CORE_FILES_PICTURES_GIF_H

#include "core/files/shared/format.h"

/* Describing it decodes no pixels. */
extern const FileFormat format_gif;

#endif
