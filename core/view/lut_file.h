/* SPDX-License-Identifier: MIT
 *
 * Look-up tables in ImageJ's file formats (.lut). These are 256 reds, 256 greens and 256 blues, a byte each; the same after the 32 bytes of NIH
 * Image's header ("ICOL"), which may declare fewer. Or text of 256 lines of red, green and blue, optionally with a line of names and a first column
 * of numbers.
 */
#ifndef CORE_VIEW_LUT_FILE_H
#define CORE_VIEW_LUT_FILE_H

#include <glib.h>

typedef struct Lut {
  guint8 rgb[256][3]; /* red, green, blue, from the darkest value to the brightest */
} Lut;

/* What the bytes of a file of that name say. FALSE with *error (FILE_ERROR). Fewer colors are spread over all 256, with those between two
 * mixed, as ImageJ does it. */
gboolean lut_parse (const char *path, const char *bytes, gsize n, Lut *lut, GError **error);
gboolean lut_read (const char *path, Lut *lut, GError **error);
/* As 768 bytes. FALSE with *error. */
gboolean lut_write (const char *path, const Lut *lut, GError **error);

#endif
