/* SPDX-License-Identifier: MIT
 *
 * Images whose pixels are in the OME-XML itself, as base64 (BinData): plain, or packed by zlib or bzip2.
 */
#ifndef CORE_FILES_OME_EMBEDDED_H
#define CORE_FILES_OME_EMBEDDED_H

#include "core/data/image.h"
#include "core/files/shared/bytes.h"
#include "core/files/shared/ome.h"

typedef struct OmeEmbedded OmeEmbedded;

/* Whether any image has pixels in the text. */
gboolean ome_embedded_is (const FilesOme *ome);
/* Takes ome, which was parsed of the text of the file. NULL with *error. */
OmeEmbedded *ome_embedded_new (FilesBytes *file, FilesOme *ome, const char *text, GError **error);
void ome_embedded_unref (OmeEmbedded *self);
guint ome_embedded_count (const OmeEmbedded *self);
/* What no image shows; NULL: nothing. */
const char *ome_embedded_left_out (const OmeEmbedded *self);
FilesBytes *ome_embedded_file (const OmeEmbedded *self);
Image *ome_embedded_open (OmeEmbedded *self, guint n, GError **error);

#endif
