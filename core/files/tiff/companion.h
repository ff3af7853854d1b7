/* SPDX-License-Identifier: MIT
 *
 * The metadata of a set of OME-TIFF files in a file of their own, NAME.companion.ome.
 */
#ifndef CORE_FILES_TIFF_COMPANION_H
#define CORE_FILES_TIFF_COMPANION_H

#include "core/files/shared/format.h"

extern const FileFormat format_companion;

#endif
