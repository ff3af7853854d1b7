/* SPDX-License-Identifier: MIT
 *
 * From samples of a TIFF file, of any width, to pixels, always exactly. The type holds every value of the file. For 64-bit integers it is f64, and
 * then a value that it does not hold is an error.
 */
#ifndef CORE_FILES_TIFF_CONVERT_H
#define CORE_FILES_TIFF_CONVERT_H

#include "core/files/tiff/dir.h"
#include "fovea-plugin.h"

typedef struct FilesTiffFormat {
  fv_type type;
  guint bytes;                          /* of a pixel of that type */
  guint bits;                           /* of a sample in the file */
  guint samples;                        /* of a pixel, as decoded */
  gboolean is_signed, is_float, copied; /* copied: samples are pixels without a conversion */
  gint32 offset;                        /* added to the values; type is FV_I16 then */
  char source[16];                      /* the file's type when it is not `type`, or "" */
} FilesTiffFormat;

/* FALSE with *error when pixels of the page have no exact form here; says what would work. */
gboolean files_tiff_format (const FilesTiffFile *file, const FilesTiffPage *page, FilesTiffFormat *format,
                            GError **error);
/* Makes ImageJ's signed 16-bit values of unsigned ones. */
void files_tiff_format_offset (FilesTiffFormat *format, gint32 offset);
/* Samples `first`, `first + step`, ... of a row, n of them, in this machine's byte order; widths that are no whole bytes are
 * packed from the highest bit. Returns how many it has made: fewer than n when the next has no exact form. */
gsize files_tiff_convert (const FilesTiffFormat *format, const guint8 *row, gsize first, gsize step, gsize n,
                          void *pixels);
/* Sample number `i` of such a row of 64-bit integers, as text. */
char *files_tiff_convert_text (const FilesTiffFormat *format, const guint8 *row, gsize i);

#endif
