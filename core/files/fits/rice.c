/* SPDX-License-Identifier: MIT
 *
 * R. White, W. Pence et al., section 10.4.1 of the FITS standard 4.0. First the first integer as it is. Then each block begins with the number of its
 * low bits plus 1, 0 when all differences are 0, and the largest number when they are stored as they are. A difference d is coded as 2 d or, below 0,
 * as -2 d - 1: so many 0 as its high bits say, a 1, and the low bits.
 */
#include "core/files/fits/rice.h"

#include "core/files/fits/bits.h"

#include <string.h>

/* How many 0 are before the next 1, which is taken, too. */
static inline guint32
take_zeros (FilesFitsBits *b)
{
  guint32 zeros = 0;
  guint more;
  while (!b->bits) {
    zeros += b->n;
    b->n = 0;
    if (b->at == b->end) {
      b->empty = TRUE;
      return 0;
    }
    files_fits_bits_fill (b);
  }
  more = (guint) __builtin_clzll (b->bits);
  b->bits = b->bits << more << 1;
  b->n -= more + 1;
  return zeros + more;
}

/* One block after the integer *last. */
static void
take_block (FilesFitsBits *b, guint bytes, gsize n, guint32 *last, guint32 *to)
{
  static const guint head[] = {[1] = 3, [2] = 4, [4] = 5}, max[] = {[1] = 6, [2] = 14, [4] = 25};
  guint low = files_fits_bits_take (b, head[bytes]);
  for (gsize i = 0; i < n; i++) {
    guint32 coded = 0;
    if (low == max[bytes] + 1)
      coded = files_fits_bits_take (b, 8 * bytes);
    else if (low) {
      coded = take_zeros (b) << (low - 1);
      coded |= low > 1 ? files_fits_bits_take (b, low - 1) : 0;
    }
    *last += coded & 1 ? ~(coded >> 1) : coded >> 1;
    to[i] = *last;
  }
}

static void
store (const guint32 *from, guint bytes, gsize n, guint8 *to)
{
  for (gsize i = 0; i < n; i++) {
    guint16 half = (guint16) from[i];
    if (bytes == 1)
      to[i] = (guint8) from[i];
    else if (bytes == 2)
      memcpy (to + 2 * i, &half, 2);
    else
      memcpy (to + 4 * i, &from[i], 4);
  }
}

gboolean
files_fits_rice (const guint8 *from, gsize size, guint bytes, guint block, gsize n, void *to)
{
  FilesFitsBits b = {.at = from, .end = from + size};
  g_autofree guint32 *some = g_new (guint32, block);
  guint32 last;
  files_fits_bits_fill (&b);
  last = files_fits_bits_take (&b, 8 * bytes);
  for (gsize i = 0; i < n && !b.empty; i += block) {
    gsize now = MIN (block, n - i);
    take_block (&b, bytes, now, &last, some);
    store (some, bytes, now, (guint8 *) to + i * bytes);
  }
  return !b.empty;
}
