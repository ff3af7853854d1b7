/* SPDX-License-Identifier: MIT
 *
 * Slides of scanners that OpenSlide reads, as a format: what no other format reads as slides.
 */
#ifndef CORE_FILES_OPENSLIDE_FORMAT_H
#define CORE_FILES_OPENSLIDE_FORMAT_H

#include "core/files/shared/format.h"

extern const FileFormat format_openslide;

#endif
