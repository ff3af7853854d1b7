/* SPDX-License-Identifier: MIT
 *
 * R. White, section 10.4.4 of the FITS standard 4.0. Each level makes of sums of 2 × 2 squares, and of three kinds of differences within
 * these, the sums of squares half as wide. Sums were rounded, and what that took of them is in the lowest bits of the differences.
 */
#include "core/files/fits/h_transform.h"

#include "core/files/fits/h_smooth.h"
#include "core/files/fits/quadtree.h"

static inline gint64
rounded (gint64 v, gint64 unit)
{
  return unit > 1 ? (v + (unit >> 1) - (v < 0)) & -unit : v;
}

/* v, which was rounded away from 0. */
static inline gint64
towards_0 (gint64 v, gint64 by)
{
  return v < 0 ? v + by : v - by;
}

/* Four numbers of a sum and three differences. */
static inline void
split (gint64 h0, gint64 hx, gint64 hy, gint64 hc, gint64 unit, int shift, gint64 *top, gint64 *bottom)
{
  gint64 low, high;
  hc = rounded (hc, unit);
  low = hc & unit;
  hx = towards_0 (rounded (hx, 2 * unit), low);
  hy = towards_0 (rounded (hy, 2 * unit), low);
  high = (hc ^ hx ^ hy) & 2 * unit;
  h0 += h0 >= 0 || low ? low - high : high;
  top[0] = (h0 - hx - hy + hc) >> shift;
  top[1] = (h0 - hx + hy - hc) >> shift;
  bottom[0] = (h0 + hx - hy - hc) >> shift;
  bottom[1] = (h0 + hx + hy + hc) >> shift;
}

/* Two, at an edge. */
static inline void
split_pair (gint64 h0, gint64 h, gint64 unit, int shift, gint64 *first, gint64 *second)
{
  h = rounded (h, 2 * unit);
  h0 = towards_0 (h0, h & 2 * unit);
  *first = (h0 - h) >> shift;
  *second = (h0 + h) >> shift;
}

static void
split_all (const FilesFitsSquares *s, gint64 unit, int shift, gint64 *to)
{
  gsize pairs = s->columns / 2, across = s->across;
  for (gsize i = 0; i < s->down; i++) {
    const gint64 *h0 = s->sums + i * across, *hy = s->hy + i * s->stride, *hx = s->hx + i * s->stride;
    const gint64 *hc = s->hc + i * s->stride;
    gint64 *top = to + 2 * i * s->columns, *bottom = top + s->columns;
    if (2 * i + 1 < s->rows) {
      for (gsize j = 0; j < pairs; j++)
        split (h0[j], hx[j], hy[j], hc[j], unit, shift, top + 2 * j, bottom + 2 * j);
      if (across > pairs)
        split_pair (h0[pairs], hx[pairs], unit, shift, top + 2 * pairs, bottom + 2 * pairs);
    } else {
      for (gsize j = 0; j < pairs; j++)
        split_pair (h0[j], hy[j], unit, shift, top + 2 * j, top + 2 * j + 1);
      if (across > pairs)
        top[2 * pairs] = h0[pairs] >> shift;
    }
  }
}

void
files_fits_h_transform (gint64 *a, gsize rows, gsize columns, gint64 change, gint64 *room, gint64 *to)
{
  guint level = files_fits_halvings (MAX (rows, columns));
  gint64 *sums = level % 2 ? room : to, *next = level % 2 ? to : room;
  *sums = level ? rounded (*a, (gint64) 2 << level) : *a;
  while (level-- > 0) {
    FilesFitsSquares s = {.rows = files_fits_halved (rows, level), .columns = files_fits_halved (columns, level)};
    gint64 *made = next;
    s.down = files_fits_halved (s.rows, 1);
    s.across = files_fits_halved (s.columns, 1);
    s.stride = columns;
    s.sums = sums;
    s.hy = a + s.across;
    s.hx = a + s.down * columns;
    s.hc = s.hx + s.across;
    files_fits_h_smooth (&s, change);
    split_all (&s, (gint64) 1 << level, level ? 1 : 2, made);
    next = sums;
    sums = made;
  }
}
