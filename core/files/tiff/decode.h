/* SPDX-License-Identifier: MIT
 *
 * The pixels of one page of a TIFF file, from any layout, compression and orientation.
 */
#ifndef CORE_FILES_TIFF_DECODE_H
#define CORE_FILES_TIFF_DECODE_H

#include "core/data/source.h"
#include "core/files/tiff/chunks.h"

/* Decodes one sample of each pixel of a region of the page as it is shown, or with -1 all, plane by plane; rows are `stride`
 * bytes apart. On all cores; any number of threads may call it at once. */
gboolean files_tiff_decode (FilesTiffDecoder *decoder, int sample, const ImageRegion *region, void *pixels,
                            gsize stride, GError **error);

#endif
