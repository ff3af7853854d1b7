/* SPDX-License-Identifier: MIT
 *
 * TIFF as ImageJ writes it, by default: uncompressed, all planes one after the other in the order channel, slice, frame. So ImageJ opens the same
 * hyperstack and any program can map the pixels. BigTIFF when the file would exceed 4 GiB (ImageJ then needs Bio-Formats). RGB is interleaved. The
 * type is that of the file which the image came from, else the pixels' own; ImageJ alone cannot read 64-bit ones.
 */
#ifndef CORE_FILES_TIFF_WRITE_H
#define CORE_FILES_TIFF_WRITE_H

#include "core/data/image.h"
#include "core/files/tiff/choices.h"

/* Any image; needs memory for one plane at a time in addition to the image itself, and a third more for a pyramid. choices: FilesTiffChoices; NULL
 * for that above. */
gboolean files_tiff_save (Image *image, const char *path, gconstpointer choices, GError **error);

#endif
