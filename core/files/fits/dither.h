/* SPDX-License-Identifier: MIT
 *
 * Converts the integers of a tile back to floats: zero + scale * (integer - dither + 1/2), without dither zero + scale * integer.
 */
#ifndef CORE_FILES_FITS_DITHER_H
#define CORE_FILES_FITS_DITHER_H

#include <glib.h>

typedef struct FilesFitsDither {
  int method;   /* SUBTRACTIVE_DITHER_1 or 2; 0: none */
  gint64 seed;  /* from 1 */
  guint64 tile; /* from 0 */
  double scale, zero;
  gboolean has_blank;
  gint32 blank; /* NaN */
} FilesFitsDither;

/* method and seed, by the header. */
void files_fits_dither_read (FilesFitsDither *dither, const char *cards);
/* n floats, or doubles, to `to`. */
void files_fits_undither (const FilesFitsDither *dither, const gint32 *integers, gsize n, gboolean doubles, void *to);

#endif
