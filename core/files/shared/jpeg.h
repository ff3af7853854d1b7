/* SPDX-License-Identifier: MIT
 *
 * JPEG by libjpeg: whether the data of a file are sound, since decoders of pictures for people fill up what is missing, and pictures in memory.
 */
#ifndef CORE_FILES_SHARED_JPEG_H
#define CORE_FILES_SHARED_JPEG_H

#include <glib.h>

/* How many components a pixel has, as the header says, of which these bytes are the beginning; 0: they do not reach that far. */
guint files_jpeg_components (const guint8 *bytes, gsize size);
/* Reads all of the file's data, without making its pixels. pixels: the most that it may claim; what claims more is left to the
 * caller. FALSE with *error. */
gboolean files_jpeg_check (const char *path, const guint8 *bytes, gsize size, guint64 pixels, GError **error);

typedef enum { FILES_JPEG_DECODED, FILES_JPEG_DAMAGED, FILES_JPEG_OTHER, FILES_JPEG_12_BITS } FilesJpegResult;

typedef struct {
  gint64 rows, columns;
  guint samples;         /* 1: gray. 3: RGB. No other can be decoded */
  guint bits;            /* of a sample; only 8 can be decoded */
  gboolean unmarked_rgb; /* three components without a marker are RGB, where libjpeg takes them for YCbCr */
} FilesJpegWanted;

/* Decodes a picture of 8 bits to dense pixels. FILES_JPEG_OTHER: its size, colors or bits are not the wanted
 * ones. Any thread. */
FilesJpegResult files_jpeg_decode (const guint8 *bytes, gsize size, const FilesJpegWanted *wanted, guint8 *to);
/* Appends such pixels as a JPEG picture of quality 95. FALSE: it is larger than 65500 in a direction, or memory is short. */
gboolean files_jpeg_encode (const guint8 *pixels, gint64 rows, gint64 columns, guint samples, GByteArray *to);

#endif
