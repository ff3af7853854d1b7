/* SPDX-License-Identifier: MIT
 *
 * Coefficients of HCOMPRESS_1 as quadtrees, one for each of their bits.
 */
#ifndef CORE_FILES_FITS_QUADTREE_H
#define CORE_FILES_FITS_QUADTREE_H

#include "core/files/fits/bits.h"

/* A part of an array whose rows are `stride` apart. */
typedef struct FilesFitsQuarter {
  gsize rows, columns, stride;
  gint64 *to;
} FilesFitsQuarter;

/* How often n is halved, rounded up, until it is 1. */
static inline guint
files_fits_halvings (gsize n)
{
  return n > 1 ? g_bit_storage (n - 1) : 0;
}

/* n halved so often, rounded up each time. */
static inline gsize
files_fits_halved (gsize n, guint times)
{
  return (n + ((gsize) 1 << times) - 1) >> times;
}

/* Sets the lowest `planes` bits of a quarter that is 0. codes: room for a quarter as many. FALSE when these are no such trees. */
gboolean files_fits_quadtree (FilesFitsBits *bits, guint planes, const FilesFitsQuarter *quarter, guint8 *codes);

#endif
