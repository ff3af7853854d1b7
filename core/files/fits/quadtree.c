/* SPDX-License-Identifier: MIT
 *
 * R. White, section 10.4.4 of the FITS standard 4.0. The bits of a plane are 4-bit codes of 2 × 2 each; whether a code is 0 are bits of the
 * plane above, half as large, and so on up to one code. From there codes that are not 0 follow, level by level, the last one of a level
 * first. Planes that this would not shorten have all their codes as they are.
 */
#include "core/files/fits/quadtree.h"

enum { PLAIN = 0, TREE = 15 };

/* Frequent codes are short. */
static guint8
take_code (FilesFitsBits *bits)
{
  static const guint8 four[] = {3, 5, 10, 12, 15}, five[] = {6, 7, 9, 11, 13}, six[] = {0, 14};
  guint next = files_fits_bits_look (bits, 6);
  guint length = next < 32 ? 3 : next < 52 ? 4 : next < 62 ? 5 : 6;
  files_fits_bits_drop (bits, length);
  switch (length) {
  case 3: return (guint8) (1 << (next >> 3));
  case 4: return four[(next >> 2) - 8];
  case 5: return five[(next >> 1) - 26];
  default: return six[next - 62];
  }
}

/* The codes of a level of rows × columns become its bits, a byte each, in place: the last one goes first, and none lands before itself. */
static void
spread (guint8 *codes, gsize rows, gsize columns)
{
  gsize across = files_fits_halved (columns, 1);
  for (gsize i = files_fits_halved (rows, 1); i-- > 0;)
    for (gsize j = across; j-- > 0;) {
      guint8 code = codes[i * across + j], *to = codes + 2 * i * columns + 2 * j;
      gboolean right = 2 * j + 1 < columns;
      if (2 * i + 1 < rows) {
        if (right)
          to[columns + 1] = code & 1;
        to[columns] = code >> 1 & 1;
      }
      if (right)
        to[1] = code >> 2 & 1;
      to[0] = code >> 3 & 1;
    }
}

static void
take_tree (FilesFitsBits *bits, const FilesFitsQuarter *q, guint8 *codes)
{
  codes[0] = take_code (bits);
  for (guint level = files_fits_halvings (MAX (q->rows, q->columns)); level-- > 1;) {
    gsize rows = files_fits_halved (q->rows, level), columns = files_fits_halved (q->columns, level);
    spread (codes, rows, columns);
    for (gsize i = rows * columns; i-- > 0;)
      if (codes[i])
        codes[i] = take_code (bits);
  }
}

/* The codes as bit `plane` of the coefficients. */
static void
insert (const FilesFitsQuarter *q, const guint8 *codes, guint plane)
{
  for (gsize i = 0; i < q->rows; i += 2)
    for (gsize j = 0; j < q->columns; j += 2, codes++) {
      gint64 code = *codes, *to = q->to + i * q->stride + j;
      gboolean right = j + 1 < q->columns;
      if (!code)
        continue;
      to[0] |= (code >> 3 & 1) << plane;
      if (right)
        to[1] |= (code >> 2 & 1) << plane;
      if (i + 1 < q->rows) {
        to[q->stride] |= (code >> 1 & 1) << plane;
        if (right)
          to[q->stride + 1] |= (code & 1) << plane;
      }
    }
}

gboolean
files_fits_quadtree (FilesFitsBits *bits, guint planes, const FilesFitsQuarter *q, guint8 *codes)
{
  gsize n = files_fits_halved (q->rows, 1) * files_fits_halved (q->columns, 1);
  while (planes-- > 0) {
    guint form = files_fits_bits_take (bits, 4);
    if (form == TREE)
      take_tree (bits, q, codes);
    for (gsize i = 0; form == PLAIN && i < n; i++)
      codes[i] = (guint8) files_fits_bits_take (bits, 4);
    if (bits->empty || (form != TREE && form != PLAIN))
      return FALSE;
    insert (q, codes, planes);
  }
  return TRUE;
}
