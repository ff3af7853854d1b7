/* SPDX-License-Identifier: MIT
 *
 * What is compressed or YCbCr: one page of a file, whose chunks libtiff decodes, or unpack.h where that is faster. Nothing is
 * printed; what libtiff says goes into the error.
 */
#ifndef CORE_FILES_TIFF_CODEC_H
#define CORE_FILES_TIFF_CODEC_H

#include "core/files/tiff/dir.h"

/* FALSE with *error, which names it, for a compression or a kind of color that cannot be read. */
gboolean files_tiff_codec_known (const FilesTiffFile *file, const FilesTiffPage *page, GError **error);
/* The most bytes that `size` bytes of the page can decode to. */
guint64 files_tiff_codec_max (const FilesTiffPage *page, guint64 size);

/* Of samples of so many bits, into this machine's byte order. */
void files_tiff_swap (const FilesTiffFile *file, guint bits, guint8 *p, gsize bytes);

typedef struct FilesTiffCodec FilesTiffCodec;
/* chunk_bytes: of a decoded chunk; libtiff must come to the same. */
FilesTiffCodec *files_tiff_codec_new (const FilesTiffFile *file, const FilesTiffPage *page, gint64 number,
                                      guint64 chunk_bytes, GError **error);
/* Whether such a fault of a codec is that it cannot decode pixels of that kind, which are not damaged. */
gboolean files_tiff_codec_lacks (const char *fault);
/* NULL, or what is wrong with the chunk: "cannot be decoded (...)"; free with g_free(). */
char *files_tiff_codec_chunk (FilesTiffCodec *codec, guint32 chunk, guint32 rows, guint8 *to, gsize bytes);
void files_tiff_codec_free (FilesTiffCodec *codec);

#endif
