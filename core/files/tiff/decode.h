/* SPDX-License-Identifier: MIT
 *
 * The pixels of one page of a TIFF file, from any layout, compression and orientation.
 */
#ifndef CORE_FILES_TIFF_DECODE_H
#define CORE_FILES_TIFF_DECODE_H

#include "core/files/tiff/convert.h"

/* What is to be decoded. number: of the page, from 1, for errors. */
typedef struct FilesTiffJob {
  const FilesTiffFile *file;
  const FilesTiffPage *page;
  const FilesTiffFormat *format;
  gint64 number;
} FilesTiffJob;

/* FALSE with *error when the page cannot be read at all, or claims more pixels than the file can hold: no page that passes
 * has more than the file's size times its codec's largest ratio (files_tiff_decode.c lists them), or, with codecs that
 * have none, 256 MiB. */
gboolean files_tiff_decodable (const FilesTiffJob *job, GError **error);
/* Decodes one sample of each pixel, or with -1 all, plane by plane, into rows as they are shown. Call
 * files_tiff_decodable() first. */
gboolean files_tiff_decode (const FilesTiffJob *job, int sample, void *pixels, GError **error);

#endif
