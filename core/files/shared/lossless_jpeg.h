/* SPDX-License-Identifier: MIT
 *
 * Lossless JPEG (ITU-T T.81, process 14): a sample is predicted from its neighbors, and Huffman codes have the differences. Tiles of DNG,
 * DICOM and some TIFF files have it; libjpeg does not read it.
 */
#ifndef CORE_FILES_SHARED_LOSSLESS_JPEG_H
#define CORE_FILES_SHARED_LOSSLESS_JPEG_H

#include <glib.h>

typedef struct FilesLosslessJpeg {
  guint rows, columns, components, bits; /* bits: 2 to 16 */
} FilesLosslessJpeg;

/* What the frame header of a stream says; FALSE: it is not lossless JPEG with Huffman codes, or the bytes end before that header. */
gboolean files_lossless_jpeg_header (const guint8 *bytes, gsize size, FilesLosslessJpeg *header);
/* Decodes a whole stream to header->rows x columns x components samples, those of a pixel side by side. tables: a stream that has tables
 * alone, as JPEGTables of TIFF, or NULL. NULL, or why it cannot be done. */
const char *files_lossless_jpeg_decode (const guint8 *tables, gsize tables_bytes, const guint8 *bytes, gsize size,
                                        const FilesLosslessJpeg *header, guint16 *samples);
/* Whether so many bytes can hold what the header claims: a sample takes a bit at least. */
gboolean files_lossless_jpeg_fits (const FilesLosslessJpeg *header, gsize size);

#endif
