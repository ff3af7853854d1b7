/* SPDX-License-Identifier: MIT
 *
 * The metadata of a set of OME-TIFF files in a file of their own, NAME.companion.ome.
 */
#ifndef CORE_FILES_OME_COMPANION_H
#define CORE_FILES_OME_COMPANION_H

#include "core/files/shared/ome.h"
#include "core/files/tiff/layout.h"

/* Takes ome, which was parsed of the text. NULL with *error. */
FilesTiffLayout *ome_companion_layout (const char *path, FilesOme *ome, const char *text, GError **error);

#endif
