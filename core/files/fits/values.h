/* SPDX-License-Identifier: MIT
 *
 * From the numbers of a FITS image to pixels: BZERO + BSCALE * number. Those of 8 to 32 bits stay integers when that only makes them
 * unsigned (or 8 bits signed); other integers become f32 (8 and 16 bits) or f64, BLANK becomes NaN there. Floats stay what they are.
 */
#ifndef CORE_FILES_FITS_VALUES_H
#define CORE_FILES_FITS_VALUES_H

#include "core/files/fits/layout.h"
#include "fovea-plugin.h"

typedef struct FilesFitsValues {
  fv_type type;
  int bits;           /* BITPIX */
  guint bytes, pixel; /* of a number, of a pixel */
  double scale, zero;
  gboolean has_blank;
  gint64 blank;
  gboolean copied; /* pixels are the numbers, of which the first bit is turned where `flipped` */
  gboolean flipped;
  const char *source; /* NULL, or the type when no pixel type is as wide: "int64" */
} FilesFitsValues;

void files_fits_values (const FilesFitsImage *image, FilesFitsValues *values);
/* n numbers in the file's byte order become those of this machine, in place. */
void files_fits_swap (void *numbers, guint bytes, gsize n);
/* n numbers of this machine as pixels; in place where values->copied. How many could be made, fewer than n where the next one has
 * more digits than f64 holds. */
gsize files_fits_convert (const FilesFitsValues *values, void *numbers, gsize n, void *pixels);

#endif
