/* SPDX-License-Identifier: MIT
 *
 * TIFF as a format: tiff.h reads it, write.h writes it.
 */
#ifndef CORE_FILES_TIFF_FORMAT_H
#define CORE_FILES_TIFF_FORMAT_H

#include "core/files/shared/format.h"

extern const FileFormat format_tiff;

#endif
