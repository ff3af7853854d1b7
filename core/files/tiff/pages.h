/* SPDX-License-Identifier: MIT
 *
 * The pages of an image: where the one of a plane is, in this file or another of a set. It can be in full size, or a smaller level of a pyramid: a
 * sub-image of the page, or a reduced page of the file. What was read last stays open.
 */
#ifndef CORE_FILES_TIFF_PAGES_H
#define CORE_FILES_TIFF_PAGES_H

#include "core/files/tiff/decode.h"
#include "core/files/tiff/layout.h"

typedef struct FilesTiffPages FilesTiffPages;

/* Reads the first page of a series of the layout. NULL with *error. */
FilesTiffPages *files_tiff_pages_new (FilesTiffLayout *layout, guint series, GError **error);
void files_tiff_pages_free (FilesTiffPages *pages);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesTiffPages, files_tiff_pages_free)
/* A copy of the layout's. */
FilesTiffSeries *files_tiff_pages_series (FilesTiffPages *pages);
/* The first page of level n, which all others of the level are like; NULL: this level does not exist. */
const FilesTiffPage *files_tiff_pages_level (const FilesTiffPages *pages, guint n);
const FilesTiffFormat *files_tiff_pages_format (const FilesTiffPages *pages);
/* The page with a plane, open. Its only sample is number 0 where the decoder's job has no more. Any thread. NULL with
 * *error; free with files_tiff_decoder_unref(). */
FilesTiffDecoder *files_tiff_pages_open (FilesTiffPages *pages, guint level, const FilesTiffPlane *plane,
                                         GError **error);

#endif
