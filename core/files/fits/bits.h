/* SPDX-License-Identifier: MIT
 *
 * Bits of a compressed tile, the highest of a byte first. Behind the last one all are 0, and the reader says that it is empty.
 */
#ifndef CORE_FILES_FITS_BITS_H
#define CORE_FILES_FITS_BITS_H

#include <glib.h>

typedef struct FilesFitsBits {
  const guint8 *at, *end;
  guint64 bits; /* the next ones first, 0 behind them */
  guint n;      /* of them */
  gboolean empty;
} FilesFitsBits;

static inline void
files_fits_bits_fill (FilesFitsBits *b)
{
  while (b->n <= 56 && b->at < b->end) {
    b->bits |= (guint64) *b->at++ << (56 - b->n);
    b->n += 8;
  }
}

/* The next 1 to 32 bits, which stay. */
static inline guint32
files_fits_bits_look (FilesFitsBits *b, guint n)
{
  if (b->n < n)
    files_fits_bits_fill (b);
  return (guint32) (b->bits >> (64 - n));
}

/* Takes bits that were looked at. */
static inline void
files_fits_bits_drop (FilesFitsBits *b, guint n)
{
  b->empty = b->empty || b->n < n;
  b->bits <<= n;
  b->n -= MIN (n, b->n);
}

/* The next 1 to 32 bits. */
static inline guint32
files_fits_bits_take (FilesFitsBits *b, guint n)
{
  guint32 v = files_fits_bits_look (b, n);
  files_fits_bits_drop (b, n);
  return v;
}

/* Takes what is left of a byte. */
static inline void
files_fits_bits_align (FilesFitsBits *b)
{
  files_fits_bits_drop (b, b->n % 8);
}

#endif
