/* SPDX-License-Identifier: MIT
 *
 * R. White, section 10.4.4 of the FITS standard 4.0. After a head follow the bits of the four quarters of coefficients, without the sum of all, which
 * is in the head. Then, from a whole byte on, the signs of the nonzero ones.
 */
#include "core/files/fits/hcompress.h"

#include "core/files/fits/h_transform.h"
#include "core/files/fits/quadtree.h"
#include "core/files/shared/big.h"

#include <string.h>

enum { HEAD = 25, MAX_PLANES = 52 };

typedef struct {
  gsize rows, columns;
  gint64 scale, sum;
  const guint8 *planes; /* bits of the first quarter, of the next two, of the last */
} Head;

static gboolean
read_head (const guint8 *from, gsize size, gsize n, Head *head)
{
  if (size < HEAD || from[0] != 0xdd || from[1] != 0x99)
    return FALSE;
  *head = (Head){.rows = files_big (from + 2, 4),
                 .columns = files_big (from + 6, 4),
                 .scale = (gint32) files_big (from + 10, 4),
                 .sum = (gint64) files_big (from + 14, 8),
                 .planes = from + 22};
  for (int i = 0; i < 3; i++)
    if (head->planes[i] > MAX_PLANES)
      return FALSE;
  return (guint64) head->rows * head->columns == n && head->scale >= 0;
}

/* Without signs. */
static gboolean
take_quarters (FilesFitsBits *bits, const Head *h, gint64 *a, guint8 *codes)
{
  gsize left = files_fits_halved (h->columns, 1), top = files_fits_halved (h->rows, 1);
  gsize right = h->columns / 2, bottom = h->rows / 2, stride = h->columns;
  const FilesFitsQuarter quarters[] = {{top, left, stride, a},
                                       {top, right, stride, a + left},
                                       {bottom, left, stride, a + top * stride},
                                       {bottom, right, stride, a + top * stride + left}};
  for (guint i = 0; i < G_N_ELEMENTS (quarters); i++)
    if (!files_fits_quadtree (bits, h->planes[(i + 1) / 2], &quarters[i], codes))
      return FALSE;
  return files_fits_bits_take (bits, 4) == 0;
}

/* Signs and scale. */
static gboolean
finish (FilesFitsBits *bits, const Head *h, gsize n, gint64 *a)
{
  gint64 scale = MAX (h->scale, 1), max = FILES_FITS_H_MAX / scale;
  files_fits_bits_align (bits);
  for (gsize i = 0; i < n; i++)
    if (a[i] > max)
      return FALSE;
    else if (a[i])
      a[i] *= files_fits_bits_take (bits, 1) ? -scale : scale;
  if (h->sum < -max || h->sum > max)
    return FALSE;
  a[0] = h->sum * scale;
  return !bits->empty;
}

gboolean
files_fits_hcompress (const guint8 *from, gsize size, gboolean smooth, gsize n, gint64 *to)
{
  Head head;
  gsize quarter;
  FilesFitsBits bits = {.at = from + HEAD, .end = from + size};
  g_autofree gint64 *a = NULL, *room = NULL;
  g_autofree guint8 *codes = NULL;
  if (!read_head (from, size, n, &head))
    return FALSE;
  quarter = files_fits_halved (head.rows, 1) * files_fits_halved (head.columns, 1);
  a = g_try_malloc0 (n * sizeof *a);
  room = g_try_malloc (quarter * sizeof *room);
  codes = g_try_malloc (quarter);
  if (!a || !room || !codes || !take_quarters (&bits, &head, a, codes) || !finish (&bits, &head, n, a))
    return FALSE;
  files_fits_h_transform (a, head.rows, head.columns, smooth ? head.scale / 2 : 0, room, to);
  return TRUE;
}
