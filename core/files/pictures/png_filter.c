/* SPDX-License-Identifier: MIT
 *
 * The choice is that of PNG's specification: the least sum of magnitudes of bytes that are taken as signed.
 */
#include "core/files/pictures/png_filter.h"

#include <stdlib.h>
#include <string.h>

enum { NONE, SUB, UP, AVERAGE, PAETH };

/* In 16 bits, so that eight go at a time. */
static inline guint8
paeth (gint16 left, gint16 up, gint16 corner)
{
  gint16 by_left = (gint16) (up - corner), by_up = (gint16) (left - corner), by_corner = (gint16) (by_left + by_up);
  by_left = (gint16) (by_left < 0 ? -by_left : by_left);
  by_up = (gint16) (by_up < 0 ? -by_up : by_up);
  by_corner = (gint16) (by_corner < 0 ? -by_corner : by_corner);
  up = by_up <= by_corner ? up : corner;
  return (guint8) (by_left <= by_up && by_left <= by_corner ? left : up);
}

static void
apply (int filter, const guint8 *row, const guint8 *above, gsize n, guint pixel, guint8 *restrict to)
{
  const guint8 *left = row - pixel, *corner = above - pixel;
  switch (filter) {
  case NONE: memcpy (to, row, n); break;
  case SUB:
    for (gsize i = 0; i < n; i++)
      to[i] = (guint8) (row[i] - left[i]);
    break;
  case UP:
    for (gsize i = 0; i < n; i++)
      to[i] = (guint8) (row[i] - above[i]);
    break;
  case AVERAGE:
    for (gsize i = 0; i < n; i++)
      to[i] = (guint8) (row[i] - (left[i] + above[i]) / 2);
    break;
  default:
    for (gsize i = 0; i < n; i++)
      to[i] = (guint8) (row[i] - paeth (left[i], above[i], corner[i]));
  }
}

static guint64
magnitude (const guint8 *bytes, gsize n)
{
  guint64 sum = 0;
  for (gsize at = 0; at < n; at += 1 << 16) { /* in 32 bits, so that more go at a time */
    guint32 part = 0;
    for (gsize i = at, end = MIN (n, at + (1 << 16)); i < end; i++)
      part += bytes[i] < 128 ? bytes[i] : 256u - bytes[i];
    sum += part;
  }
  return sum;
}

void
files_png_filter (const guint8 *row, const guint8 *above, gsize n, guint pixel, guint8 *to, guint8 *try)
{
  guint64 min = G_MAXUINT64;
  for (int filter = NONE; filter <= PAETH; filter++) {
    guint64 sum;
    apply (filter, row, above, n, pixel, try + 1);
    sum = magnitude (try + 1, n);
    if (sum >= min)
      continue;
    min = sum;
    try[0] = (guint8) filter;
    memcpy (to, try, n + 1);
  }
}
